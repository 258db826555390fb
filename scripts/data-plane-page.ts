import { DATA_PLANE_SPEC } from '../render/parameters/data-plane-schema.ts';
import types from '../render/parameters/kubernetes-types.json' with { type: 'json' };
import type { Field, FieldGroup, FieldRule, SchemaNode } from '../render/parameters/schema-field.ts';

const INTRODUCTION = `# DataPlane

A DataPlane says how data planes are made: those of a GatewayClass (\`spec.parametersRef\`) or of one Gateway
(\`spec.infrastructure.parametersRef\`). [Parameters](../how-to/parameters.md) says how the two come together. The same
\`spec\` may stand in a ConfigMap, under the key \`dataplane.yaml\`.

Files: the [CustomResourceDefinition](../../k8s/crd/gari.dev_dataplanes.yaml) and, for editors, the
[JSON Schema](data-plane.schema.json). This page is written from the same source.

Who may set a field:

* **class**: only the parameters of a class. Those of a Gateway may set it where the class lists it in \`policy.allow\`.
* **Gateway**: the parameters of a class and of a Gateway, unless the class lists it in \`policy.deny\`.
* **class, always**: only the parameters of a class, whatever its policy says.

A field without a default is not rendered: Kubernetes decides.
`;

const KUBERNETES = 'https://kubernetes.io/docs/reference/generated/kubernetes-api';
const WHO = { allowed: 'Gateway', refused: 'class', never: 'class, always' } as const;

/** The reference page about DataPlane, in Markdown. */
export function dataPlanePage(): string {
  const { description } = DATA_PLANE_SPEC;
  const fields: [string, Field][] = Object.entries(DATA_PLANE_SPEC.fields);
  const isGroup = (field: Field): field is FieldGroup => 'fields' in field && field.gateway === undefined;
  const top = fields.filter(([, field]) => !isGroup(field));
  return [
    INTRODUCTION,
    section('spec', { description, fields: Object.fromEntries(top) }),
    ...fields.flatMap(([name, field]) => (isGroup(field) ? [section(`spec.${name}`, field)] : [])),
  ].join('\n');
}

function section(title: string, { description, fields, rules = [] }: FieldGroup): string {
  const all = Object.entries(fields);
  const ruleLines = [...rules, ...all.flatMap(([, field]) => rulesBelow(field))].map(
    ({ message }) => `* ${message}`,
  );
  return [
    `## ${title}\n`,
    `${description}\n`,
    '| field | type | who | by default | |',
    '| --- | --- | --- | --- | --- |',
    ...all.flatMap(([name, field]) => rowsOf(name, field)),
    '',
    ...(ruleLines.length === 0 ? [] : ['Rules:\n', ...new Set(ruleLines), '']),
  ].join('\n');
}

function rowsOf(name: string, field: Field): string[] {
  if ('fields' in field) {
    if (field.gateway === 'never') {
      return [row(name, 'object', WHO.never, '', `${field.description} The fields are those of \`spec\`.`)];
    }
    return Object.entries(field.fields).flatMap(([below, child]) => rowsOf(`${name}.${below}`, child));
  }
  const never = (field.never ?? []).map((one) => `\`${one}\``).join(' and ');
  const who = `${WHO[field.gateway]}${never === '' ? '' : `; ${never}: class, always`}`;
  return [
    row(name, typeOf(field), who, field.byDefault ?? '', field.description),
    ...nodesBelow(name, field, WHO[field.gateway]),
  ];
}

/** Rows for what a leaf of our own is made of; what Kubernetes has defined is described there. */
function nodesBelow(name: string, node: SchemaNode, who: string): string[] {
  if (node.items !== undefined) return nodesBelow(`${name}[]`, node.items, who);
  return Object.entries(node.properties ?? {}).flatMap(([below, child]) => [
    row(`${name}.${below}`, typeOf(child), who, String(child.default ?? ''), child.description ?? ''),
    ...nodesBelow(`${name}.${below}`, child, who),
  ]);
}

function typeOf(node: SchemaNode): string {
  if (node.kubernetes !== undefined) {
    const { kubernetes } = node;
    const group = kubernetes === 'DeploymentStrategy' ? 'apps' : 'core';
    const [release] = /^v\d+\.\d+/.exec(types.version) ?? [];
    return `[${kubernetes}](${KUBERNETES}/${release}/#${kubernetes.toLowerCase()}-v1-${group})`;
  }
  if (node.items !== undefined) return `list of ${typeOf(node.items)}`;
  if (node.additionalProperties !== undefined) return `map of ${typeOf(node.additionalProperties)}`;
  // A list of policy paths would fill a page.
  if (node.enum !== undefined) {
    return node.enum.length > 10 ? 'field of spec' : node.enum.map((one) => `\`${one}\``).join(', ');
  }
  if (node['x-kubernetes-int-or-string'] === true) return 'integer or string';
  return node.type ?? 'any';
}

function rulesBelow(field: Field): readonly FieldRule[] {
  // Those of `enforced` are those of `spec`.
  if ('fields' in field && field.gateway === 'never') return [];
  const below = 'fields' in field ? Object.values(field.fields) : [];
  const items = 'items' in field ? (field.items?.rules ?? []) : [];
  return [...(field.rules ?? []), ...items, ...below.flatMap(rulesBelow)];
}

function row(name: string, type: string, who: string, byDefault: string, description: string): string {
  const text = [`\`${name}\``, type, who, byDefault, description].map((cell) => cell.replaceAll('|', '\\|'));
  return `| ${text.join(' | ')} |`;
}
