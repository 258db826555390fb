import type { ObservedService } from '../status/observed.ts';
import type { ClusterView } from './cluster-view.ts';

/** An event about a Service, as far as it is read. */
export interface ServiceEvent {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly creationTimestamp?: string;
  };
  readonly involvedObject: { readonly kind: string; readonly name: string; readonly uid?: string };
  readonly type?: string;
  readonly message?: string;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
}

/** The text of the last warning about a Service: why it has no address, in the load balancer's words. */
export function lastWarning(view: ClusterView, service: ObservedService | undefined): string | undefined {
  if (service === undefined) return undefined;
  const { namespace = '', name, uid } = service.metadata;
  const events = view.store('Event').by('service', `${namespace}/${name}`) as readonly ServiceEvent[];
  return events
    .filter(({ involvedObject }) => involvedObject.uid === undefined || involvedObject.uid === uid)
    .reduce<ServiceEvent | undefined>((last, each) => {
      return last === undefined || timeOf(each) >= timeOf(last) ? each : last;
    }, undefined)
    ?.message?.trim();
}

function timeOf({ lastTimestamp, eventTime, metadata }: ServiceEvent): number {
  return Date.parse(lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '') || 0;
}
