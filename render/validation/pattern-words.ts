const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const NAME = `${LABEL}(\\.${LABEL})*`;

// The Gateway API's patterns (apis/v1/shared_types.go), as the data file spells them.
const WORDS: ReadonlyMap<string, string> = new Map([
  [`^${LABEL}$`, 'lower-case letters, digits and hyphens such as my-name'],
  [`^${NAME}$`, 'a DNS name in lower case such as example.com'],
  [`^$|^${NAME}$`, 'empty or a DNS name in lower case such as example.com'],
  [`^(\\*\\.)?${NAME}$`, 'a DNS name in lower case such as example.com or *.example.com'],
  [`^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$`, 'a kind such as Service'],
  [
    `^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`,
    'a label value: letters, digits, hyphens, underscores and dots, with a letter or digit at both ends',
  ],
  [
    `^${NAME}\\/[A-Za-z0-9\\/\\-._~%!$&'()*+,;=:]+$`,
    'a domain and a path such as example.com/gateway-controller',
  ],
  [
    `^Hostname|IPAddress|NamedAddress|${NAME}\\/[A-Za-z0-9\\/\\-._~%!$&'()*+,;=:]+$`,
    'IPAddress, Hostname or a type of your own such as example.com/name',
  ],
  [
    `^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$|${NAME}\\/[A-Za-z0-9]+$`,
    'HTTP, HTTPS, TLS, TCP, UDP or a protocol of your own such as example.com/name',
  ],
]);

/** What a pattern stands for, in words that follow "must be". */
export function describePattern(pattern: string): string {
  return WORDS.get(pattern) ?? `text that matches ${pattern}`;
}
