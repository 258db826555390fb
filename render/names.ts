import { createHash } from 'node:crypto';

// A Service's name must be a DNS-1035 label, and a label value has at most 63 characters.
const LIMIT = 63;
const SUFFIX = '-gari';
const HASH_LENGTH = 8;
const LOOKS_SHORTENED = /-[0-9a-f]{8}$/;
const DNS_1035 = /^[a-z]([a-z0-9-]*[a-z0-9])?$/;

/**
 * The name of a Gateway's ServiceAccount, Deployment and Service: `<gateway>-gari`, or where that
 * is no DNS-1035 label, or could be mistaken for a shortened name, a shortened one with a hash.
 */
export function renderedName(gatewayName: string): string {
  const room = LIMIT - SUFFIX.length;
  if (gatewayName.length <= room && DNS_1035.test(gatewayName) && !LOOKS_SHORTENED.test(gatewayName)) {
    return `${gatewayName}${SUFFIX}`;
  }
  const cleaned = gatewayName.replace(/[^a-z0-9-]/g, '-').replace(/^(?![a-z])/, 'g');
  const cut = cleaned.slice(0, room - HASH_LENGTH - 1).replace(/-+$/, '');
  return `${cut}-${shortHash(gatewayName)}${SUFFIX}`;
}

/**
 * A name as a label value: as it is up to 63 characters, else 54 characters and a hash. One of
 * exactly 63 that looks shortened is shortened too, so that no two names give one value.
 */
export function labelValue(name: string): string {
  const fits = name.length < LIMIT || (name.length === LIMIT && !LOOKS_SHORTENED.test(name));
  return fits ? name : `${name.slice(0, LIMIT - HASH_LENGTH - 1)}-${shortHash(name)}`;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
}
