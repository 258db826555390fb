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

// Those of a DataPlane.
const DATA_PLANE_WORDS: ReadonlyMap<string, string> = new Map([
  ['^\\S+$', 'a text without blanks'],
  ['^/\\S*$', 'a path such as /readyz'],
  ['^[a-zA-Z0-9.-]+(:[0-9]+)?(/[a-z0-9._-]+)*$', 'a registry such as registry.example.com:5000/mirror'],
]);

// Those that a DataPlane has from Kubernetes (scripts/kubernetes-types.ts).
const QUANTITY = /^\^\(\\\+\|-\)\?.*KMGTPE/;

/** What a pattern stands for, in words that follow "must be". */
export function describePattern(pattern: string): string {
  if (QUANTITY.test(pattern)) return 'a quantity such as 100m or 128Mi';
  return WORDS.get(pattern) ?? DATA_PLANE_WORDS.get(pattern) ?? `text that matches ${pattern}`;
}
