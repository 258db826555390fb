import { ownPart } from '../k8s/controller/own-part.ts';
import { FIELD_MANAGER, STATUS_FIELD_MANAGER } from '../k8s/field-manager.ts';
import { type ClusterKind, pathOf } from '../k8s/resources.ts';
import type { ObservedGateway } from '../k8s/status/observed.ts';
import type { Transport } from '../k8s/transport.ts';
import { renderedName } from '../render/names.ts';
import { render } from '../render/render.ts';

const CONCURRENCY = 8;
const CONTENT_TYPE = 'application/apply-patch+yaml';
const QUERY = { fieldManager: FIELD_MANAGER, fieldValidation: 'Strict', force: true };

/** What is fired. */
export interface BareLoop {
  /** With a uid each, and without anything that was made for them. */
  readonly gateways: readonly ObservedGateway[];
  /** What a controller has said of a Gateway like them. */
  readonly status: ObservedGateway;
  readonly bindingName: string;
  /** How often the list of subjects is written. */
  readonly bindingWrites: number;
}

interface Write {
  readonly path: string;
  readonly body: string;
  readonly query: Readonly<Record<string, string | boolean>>;
  readonly contentType: string;
}

/** Fires the writes of a controller, made beforehand, with its concurrency, and does nothing else. */
export async function bareLoop(transport: Transport, loop: BareLoop): Promise<void> {
  const each = loop.gateways.map((gateway) => writesFor(gateway, loop.status));
  const every = Math.ceil(each.length / loop.bindingWrites);
  for (let n = every; n < each.length + every; n += every) {
    each[Math.min(n, each.length) - 1]?.push(bindingWrite(loop, Math.min(n, each.length)));
  }
  const queue = each[Symbol.iterator]();
  const worker = async () => {
    for (const writes of queue) {
      for (const { path, ...options } of writes) await transport.request('PATCH', path, options);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

function writesFor(gateway: ObservedGateway, like: ObservedGateway): Write[] {
  const { name, namespace, uid } = gateway.metadata;
  const apiVersion = 'gateway.networking.k8s.io/v1';
  const empty = { gatewayClasses: [], listenerSets: [], referenceGrants: [], namespaces: [] };
  const { objects } = render(
    { ...empty, gateways: [{ object: gateway }], existing: [], clusterRoleBindings: [] },
    { classNames: [gateway.spec.gatewayClassName] },
  );
  const owner = { apiVersion, kind: 'Gateway', name, uid, controller: true };
  const children = [...objects.values()].flat().map((object) => ({
    path: pathOf({ kind: object.kind as ClusterKind, namespace, name: object.metadata.name }),
    body: JSON.stringify({
      ...object,
      metadata: { ...object.metadata, ownerReferences: [owner], resourceVersion: '1' },
    }),
    query: QUERY,
    contentType: CONTENT_TYPE,
  }));
  const status = {
    path: `${pathOf({ kind: 'Gateway', namespace, name })}/status`,
    body: JSON.stringify({
      apiVersion,
      kind: 'Gateway',
      metadata: { name, namespace },
      status: ownPart(like),
    }),
    query: { ...QUERY, fieldManager: STATUS_FIELD_MANAGER },
    contentType: CONTENT_TYPE,
  };
  return [...children, status];
}

function bindingWrite({ gateways, bindingName }: BareLoop, upTo: number): Write {
  const subjects = gateways.slice(0, upTo).map(({ metadata: { namespace, name } }) => ({
    kind: 'ServiceAccount',
    name: renderedName(name),
    namespace,
  }));
  return {
    path: pathOf({ kind: 'ClusterRoleBinding', name: bindingName }),
    body: JSON.stringify({ subjects }),
    query: {},
    contentType: 'application/merge-patch+json',
  };
}
