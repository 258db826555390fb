import { type Diagnostic, formatDiagnostic } from '../../render/diagnostic.ts';
import type { Gateway } from '../../render/gateway-api.ts';
import type { Verdict } from './conditions.ts';

// Why a listener is left out while the others are served.
const LISTENER_REASONS = new Set([
  'HostnameConflict',
  'PortUnavailable',
  'ProtocolConflict',
  'UnsupportedProtocol',
]);

/**
 * What `Accepted` is to say, from what rendering said of a Gateway and of what it refers to.
 *
 * @param claimedBy which install takes care of it, in words.
 */
export function acceptedVerdict(
  gateway: Gateway,
  diagnostics: readonly Diagnostic[],
  claimedBy: string,
): Verdict {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    const parameters = errors.some(({ reason }) => reason === 'InvalidParameters');
    return no(parameters ? 'InvalidParameters' : 'Invalid', textOf(errors));
  }
  const addresses = diagnostics.filter(({ reason }) => reason === 'UnsupportedAddress');
  if (addresses.length > 0) return no('UnsupportedAddress', textOf(addresses));
  const leftOut = diagnostics.filter(
    ({ reason, object }) => LISTENER_REASONS.has(reason) && object?.kind === 'Gateway',
  );
  const none = diagnostics.some(({ reason }) => reason === 'NoPort');
  if (none && gateway.spec.listeners.length > 0) {
    return no('ListenersNotValid', `no listener can be served: ${textOf(leftOut)}`);
  }
  const status = 'True';
  if (leftOut.length === 0) return { status, reason: 'Accepted', message: claimedBy };
  return { status, reason: 'ListenersNotValid', message: `${claimedBy}; ${textOf(leftOut)}` };
}

function no(reason: string, message: string): Verdict {
  return { status: 'False', reason, message };
}

function textOf(diagnostics: readonly Diagnostic[]): string {
  return [...new Set(diagnostics.map(formatDiagnostic))].join('; ');
}
