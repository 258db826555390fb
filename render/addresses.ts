import { type Diagnostic, diagnose, subjectOf } from './diagnostic.ts';
import type { Gateway } from './gateway-api.ts';
import { isServiceHostname } from './not-yet.ts';
import type { Sourced } from './source.ts';

/** The one IP address that a Gateway asks for, if it is one, and what cannot be passed on. */
export function requestedAddress(gateway: Sourced<Gateway>): {
  address?: string;
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
  const [address, ...more] = requested;
  if (more.length > 0) {
    const message = `asks for ${requested.length} addresses, and a Service can ask for one: none is passed on`;
    diagnostics.push(diagnose('warning', 'AddressesNotPassedOn', subject, ['spec', 'addresses'], message));
    return { diagnostics };
  }
  return { ...(address === undefined ? {} : { address }), diagnostics };
}

// Not `isIP` of node:net: to load it costs a run 2 ms.
function isIpAddress(text: string): boolean {
  const bytes = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1);
  if (bytes !== undefined) return bytes.every((byte) => Number(byte) <= 255);
  return text.includes(':') && URL.canParse(`http://[${text}]`);
}
