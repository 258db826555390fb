import { type Diagnostic, diagnose, subjectOf } from './diagnostic.ts';
import type { Gateway, GatewayAddress } from './gateway-api.ts';
import type { Path } from './json.ts';
import type { Sourced } from './source.ts';

const ATTACH_TO_ANNOTATION = 'gari.dev/attach-to';
const SERVICE_HOSTNAME = /^[^.]+\.[^.]+\.svc(\.|$)/;

/** Whether an address is the name of a Service, which asks to be attached to it. */
export function isServiceHostname({ type, value = '' }: GatewayAddress): boolean {
  return type === 'Hostname' && SERVICE_HOSTNAME.test(value);
}

/**
 * What a Gateway asks for and this version cannot do. Refused in words: objects that
 * leave it out would look right and be wrong.
 */
export function unsupported(gateway: Sourced<Gateway>): readonly Diagnostic[] {
  const { metadata, spec } = gateway.object;
  const refuse = (path: Path, message: string) =>
    diagnose('error', 'InvalidParameters', subjectOf(gateway), path, message);
  const diagnostics: Diagnostic[] = [];
  if (metadata.annotations?.[ATTACH_TO_ANNOTATION] !== undefined) {
    const path = ['metadata', 'annotations', ATTACH_TO_ANNOTATION];
    diagnostics.push(
      refuse(path, 'asks for a static gateway, which this version of gari does not support; remove it'),
    );
  }
  for (const [index, address] of (spec.addresses ?? []).entries()) {
    if (isServiceHostname(address)) {
      const path = ['spec', 'addresses', index];
      diagnostics.push(
        refuse(
          path,
          `attaches the Gateway to Service ${address.value}: this version of gari does not support static gateways; remove it`,
        ),
      );
    }
  }
  return diagnostics;
}
