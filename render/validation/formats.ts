import { isIPv6 } from 'node:net';

// A time as Go's time.Parse(time.RFC3339) takes it.
const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)([.,]\d+)?(Z|[+-](\d\d):(\d\d))$/;

/**
 * The formats of strings that the Gateway API uses, as the server checks them
 * (k8s.io/kube-openapi pkg/validation/strfmt), and `rfc3339` for times in `metadata`.
 */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  // netutils.ParseIPSloppy: leading zeros are allowed, and so is an IPv6 address that ends in an IPv4 one.
  ipv4: (text) =>
    /^[^:]*\./.test(text)
      ? isSloppyIpv4(text)
      : /\.\d+$/.test(text) && isIpv6(text.replace(/(^|[:.])0+(?=\d+(\.|$))/g, '$1')),
  ipv6: isIpv6,
  'date-time': isTime,
  rfc3339: isTime,
};

// net.ParseIP takes no zone.
function isIpv6(text: string): boolean {
  return isIPv6(text) && !text.includes('%');
}

function isSloppyIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^\d+$/.test(part) && Number(part) <= 255);
}

function isTime(text: string): boolean {
  const [, year, month, day, hour, minute, second, , zone, zoneHour, zoneMinute] = RFC3339.exec(text) ?? [];
  if (zone === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // JavaScript takes the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(Number(year));
  const dayExists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  const inDay = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  return dayExists && inDay && Number(zoneHour ?? 0) <= 24 && Number(zoneMinute ?? 0) < 60;
}
