import type { Gateway } from '../../render/gateway-api.ts';
import type { Verdict } from './conditions.ts';
import type { ObservedService, StatusAddress } from './observed.ts';

// The most that a Gateway's status takes.
const MOST_ADDRESSES = 16;

/**
 * The addresses under which a Service is reached. A NodePort Service has none of its own: those of
 * nodes may be reached by nobody outside, so only parameters can name one.
 */
export function addressesOf(service: ObservedService | undefined): readonly StatusAddress[] {
  const { type = 'ClusterIP', clusterIP, clusterIPs } = service?.spec ?? {};
  return (
    type === 'LoadBalancer' ? balancedAddresses(service) : ownAddresses(type, clusterIPs ?? [clusterIP])
  )
    .filter(({ value }, index, all) => all.findIndex((other) => other.value === value) === index)
    .slice(0, MOST_ADDRESSES);
}

function balancedAddresses(service: ObservedService | undefined): readonly StatusAddress[] {
  return (service?.status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }): StatusAddress[] => {
    if (ip) return [{ type: 'IPAddress', value: ip }];
    return hostname ? [{ type: 'Hostname', value: hostname }] : [];
  });
}

function ownAddresses(type: string, clusterIPs: readonly (string | undefined)[]): readonly StatusAddress[] {
  if (type !== 'ClusterIP') return [];
  return clusterIPs.flatMap((value): StatusAddress[] =>
    // A headless Service has none.
    value === undefined || value === '' || value === 'None' ? [] : [{ type: 'IPAddress', value }],
  );
}

/**
 * Why the addresses are not what the Gateway needs: each one that it asks for, or some address if it
 * asks for none.
 */
export function addressProblem(
  gateway: Gateway,
  service: ObservedService | undefined,
  /** The text of the Service's last warning event. */
  warning: string | undefined,
): Verdict | undefined {
  const assigned = addressesOf(service);
  const requested = (gateway.spec.addresses ?? []).flatMap(({ type = 'IPAddress', value }) =>
    type === 'IPAddress' && value !== undefined ? [value] : [],
  );
  const missing = requested.filter((value) => !assigned.some((address) => sameAddress(address.value, value)));
  const name = service === undefined ? 'the Service' : `Service ${service.metadata.name}`;
  const because = warning === undefined ? '' : `: ${warning}`;
  if (assigned.length === 0) {
    if (missing.length > 0 && warning !== undefined) {
      return notUsable(`${missing.join(', ')} cannot be assigned to ${name}${because}`);
    }
    const hint = warning === undefined ? hintOf(service) : because;
    const what = missing.length === 0 ? 'no address is' : `${missing.join(', ')} is not`;
    const message = `${what} assigned to ${name} yet${hint}`;
    return { status: 'False', reason: 'AddressNotAssigned', message };
  }
  if (missing.length === 0) return undefined;
  const there = assigned.map(({ value }) => value).join(', ');
  return notUsable(
    `${missing.join(', ')} in spec.addresses is not assigned to ${name}, which has ${there}${because}`,
  );
}

function notUsable(message: string): Verdict {
  return { status: 'False', reason: 'AddressNotUsable', message };
}

function hintOf(service: ObservedService | undefined): string {
  switch (service?.spec?.type) {
    case 'LoadBalancer':
      return '; it comes from the load balancer of the cluster, if it has one';
    case 'NodePort':
      return ': a NodePort Service has no address of its own';
    default:
      return '';
  }
}

// IPv6 addresses have more than one spelling; the URL parser knows the canonical one.
function sameAddress(a: string, b: string): boolean {
  return a === b || (a.includes(':') && b.includes(':') && canonical(a) === canonical(b));
}

function canonical(address: string): string {
  return URL.canParse(`http://[${address}]`) ? new URL(`http://[${address}]`).hostname : address;
}
