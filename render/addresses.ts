import { type Diagnostic, diagnose, subjectOf } from './diagnostic.ts';
import type { Gateway } from './gateway-api.ts';
import { isServiceHostname } from './not-yet.ts';
import type { Settings } from './parameters/settings.ts';
import type { Sourced } from './source.ts';

/** The IP addresses that a Gateway asks for, as far as they can be passed on, and what cannot. */
export function requestedAddresses(
  gateway: Sourced<Gateway>,
  { requestedAddress: { via }, serviceType }: Pick<Settings, 'requestedAddress' | 'serviceType'>,
): {
  addresses: readonly string[];
  diagnostics: readonly Diagnostic[];
} {
  const subject = subjectOf(gateway);
  const diagnostics: Diagnostic[] = [];
  const requested: string[] = [];
  for (const [index, address] of (gateway.object.spec.addresses ?? []).entries()) {
    if (isServiceHostname(address)) continue;
    const { type = 'IPAddress', value } = address;
    const path = ['spec', 'addresses', index];
    if (type !== 'IPAddress') {
      const what = value === undefined ? type : `${type} ${value}`;
      const message = `asks for ${what}, UnsupportedAddress: gari passes on an IPAddress only`;
      diagnostics.push(diagnose('warning', 'UnsupportedAddress', subject, path, message));
      // Without a value it asks for any address, as a load balancer gives it anyway.
    } else if (value !== undefined && !isIpAddress(value)) {
      const message = `is not an IP address: ${value}`;
      diagnostics.push(diagnose('error', 'Invalid', subject, [...path, 'value'], message));
    } else if (value !== undefined) requested.push(value);
  }
  const notPassedOn = (why: string) => {
    const message = `${why}: none is passed on`;
    diagnostics.push(diagnose('warning', 'AddressesNotPassedOn', subject, ['spec', 'addresses'], message));
    return { addresses: [], diagnostics };
  };
  if (via === 'LoadBalancerIP' && requested.length > 1) {
    return notPassedOn(`asks for ${requested.length} addresses, and a Service can ask for one`);
  }
  if (via === 'LoadBalancerIP' && requested.length > 0 && serviceType !== 'LoadBalancer') {
    return notPassedOn(`asks for an address, and a Service of type ${serviceType} cannot ask for one`);
  }
  return { addresses: requested, diagnostics };
}

// Not `isIP` of node:net: to load it costs a run 2 ms.
function isIpAddress(text: string): boolean {
  const bytes = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1);
  if (bytes !== undefined) return bytes.every((byte) => Number(byte) <= 255);
  return text.includes(':') && URL.canParse(`http://[${text}]`);
}
