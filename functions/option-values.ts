/** What the text of an option must be. */
export interface TextRule {
  /** A regular expression; as text, since a JSON Schema holds it as well. */
  readonly pattern: string;
  /** The same in words, to follow "must be". */
  readonly words: string;
}

const LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(?:\\.${LABEL})*`;

/** A Namespace's name. */
export const NAMESPACE: TextRule = {
  pattern: `^${LABEL}$`,
  words: 'at most 63 lower-case letters, digits and "-" (a DNS label)',
};

/** A GatewayClass's name. */
export const CLASS_NAME: TextRule = {
  pattern: `^(?=.{1,253}$)${SUBDOMAIN}$`,
  words: 'lower-case letters, digits, "-" and "." (a DNS subdomain)',
};

/** A GatewayClass's `spec.controllerName`, as its CRD has it. */
export const CONTROLLER_NAME: TextRule = {
  pattern: `^(?=.{1,253}$)${SUBDOMAIN}\\/[A-Za-z0-9\\/\\-._~%!$&'()*+,;=:]+$`,
  words: 'a domain and a path, such as example.com/gateway-controller',
};

/** A ClusterRoleBinding's name: RBAC takes more than DNS, but it becomes a part of a file's name. */
export const BINDING_NAME: TextRule = {
  pattern: '^(?=.{1,200}$)[A-Za-z0-9](?:[-A-Za-z0-9._:]*[A-Za-z0-9])?$',
  words: 'at most 200 letters, digits, "-", ".", "_" and ":"',
};

const HOST_PART = '[a-zA-Z0-9](?:[-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?';
const HOST = `(?:${HOST_PART}(?:\\.${HOST_PART})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const PATH_PART = '[a-z0-9]+(?:(?:\\.|__?|-+)[a-z0-9]+)*';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';

/** A reference to an image, in the grammar of github.com/distribution/reference. */
export const IMAGE: TextRule = {
  pattern: `^(?:${HOST}\\/)?${PATH_PART}(?:\\/${PATH_PART})*(?::\\w[-.\\w]{0,127})?(?:@${DIGEST})?$`,
  words: 'a reference to an image, such as registry.example.com/proxy:v1',
};

/** Whether a text follows a rule. */
export function follows(text: string, { pattern }: TextRule): boolean {
  return new RegExp(pattern).test(text);
}
