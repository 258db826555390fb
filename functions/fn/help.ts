import { CONFIG_API_VERSION, CONFIG_KIND, OPTION_FIELDS } from './function-config.ts';

/** The sections of the function's documentation, as `kpt fn doc` shows them. */
export const DOC = {
  short:
    'Renders the ServiceAccount, Deployment, Service and ClusterRoleBinding subjects of each Gateway in a package.',
  long: `The function reads the Gateways of a package and adds, updates and removes the objects that each of
them needs. Everything else is copied byte for byte. A Gateway that is removed loses its objects. An
object of the same name that is not gari's is an error, and then nothing in the package changes.

Options stand in the functionConfig, kind ${CONFIG_KIND} of ${CONFIG_API_VERSION}, under spec, or in a
ConfigMap under data, where a list is separated by commas:

${Object.entries(OPTION_FIELDS)
  .map(([key, field]) => `  ${key.padEnd(15)}${field.description} Default: ${defaultOf(field.default)}.`)
  .join('\n')}
`,
  examples: `  kpt fn eval PACKAGE --exec gari-fn
  kpt fn eval PACKAGE --exec gari-fn -- mode=Validate
  kpt fn source PACKAGE | gari-fn | kpt fn sink NEW-DIRECTORY
`,
};

/** All of the documentation as text. */
export function helpText(): string {
  return `# gari-fn\n\n## Overview\n\n${DOC.short}\n\n## Usage\n\n${DOC.long}\n## Examples\n\n${DOC.examples}`;
}

function defaultOf(value: string | readonly string[]): string {
  return typeof value === 'string' ? value : 'none';
}
