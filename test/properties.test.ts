import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitDocuments } from '../functions/input/documents.ts';
import { readDocuments } from '../functions/input/read-documents.ts';
import { formatYamlStream, inApplyOrder } from '../functions/output/objects.ts';
import { formatYaml, parseYaml } from '../functions/yaml.ts';
import { formatDiagnostic } from '../render/diagnostic.ts';
import { isJsonObject, type Json, type JsonObject } from '../render/json.ts';
import { labelValue, renderedName } from '../render/names.ts';
import type { RenderedObject } from '../render/objects.ts';
import { type RenderResult, render } from '../render/render.ts';
import { sharedBinding } from '../render/subjects.ts';
import { documents, listeners } from './arbitrary-input.ts';

// The same inputs in every run; others, and more, to look for trouble.
const RUNS = {
  numRuns: Number(process.env.GARI_TEST_RUNS ?? 200),
  seed: Number(process.env.GARI_TEST_SEED ?? 1),
};

async function renderDocuments(objects: readonly JsonObject[]): Promise<RenderResult> {
  const source = { file: 'input.yaml', lineOf: () => undefined };
  const { input, diagnostics } = await readDocuments(
    objects.map((object) => ({ object, source })),
    {
      namespace: 'default',
    },
  );
  expect(diagnostics).toEqual([]);
  return render(input);
}

/** All that a run prints, diagnostics included. */
function textOf(result: RenderResult, existing?: RenderedObject): string {
  const binding = sharedBinding('gari-dataplane', result.subjects, existing);
  const objects = [...[...result.objects.values()].flat(), ...(binding === undefined ? [] : [binding])];
  const diagnostics = result.diagnostics.map((each) => `${each.severity} ${formatDiagnostic(each)}\n`);
  return `${diagnostics.join('')}${formatYamlStream(inApplyOrder(objects))}`;
}

const objectsOf = ({ objects }: RenderResult): readonly RenderedObject[] => [...objects.values()].flat();
const ofKind = (result: RenderResult, kind: string) =>
  objectsOf(result).filter((object) => object.kind === kind);
const at = (value: Json | undefined, ...path: string[]): Json | undefined =>
  path.reduce<Json | undefined>((found, step) => (isJsonObject(found) ? found[step] : undefined), value);

describe('for every input', () => {
  it('the order of documents does not matter', () =>
    fc.assert(
      fc.asyncProperty(documents, fc.infiniteStream(fc.nat()), async (objects, random) => {
        const shuffled = objects
          .map((object) => ({ object, place: random.next().value as number }))
          .sort((a, b) => a.place - b.place)
          .map(({ object }) => object);
        expect(textOf(await renderDocuments(shuffled))).toBe(textOf(await renderDocuments(objects)));
      }),
      RUNS,
    ));

  it('rendering again, with its own output in the input, gives the same', () =>
    fc.assert(
      fc.asyncProperty(documents, async (objects) => {
        const first = await renderDocuments(objects);
        const binding = sharedBinding('gari-dataplane', first.subjects, undefined);
        const output = [...objectsOf(first), ...(binding === undefined ? [] : [binding])];
        const reread = splitDocuments(formatYamlStream(output)).map(
          ({ text }) => parseYaml(text) as JsonObject,
        );
        expect(textOf(await renderDocuments([...objects, ...reread]), binding)).toBe(textOf(first));
      }),
      RUNS,
    ));

  it('nothing in the output is empty', () =>
    fc.assert(
      fc.asyncProperty(documents, async (objects) => {
        for (const object of objectsOf(await renderDocuments(objects))) expectNothingEmpty(object);
      }),
      RUNS,
    ));

  it('the selector selects the pods, and both kinds have the same one', () =>
    fc.assert(
      fc.asyncProperty(documents, async (objects) => {
        const result = await renderDocuments(objects);
        for (const deployment of ofKind(result, 'Deployment')) {
          const selector = at(deployment, 'spec', 'selector', 'matchLabels') as JsonObject;
          expect(at(deployment, 'spec', 'template', 'metadata', 'labels')).toMatchObject(selector);
          const service = ofKind(result, 'Service').find(
            ({ metadata }) =>
              metadata.name === deployment.metadata.name &&
              metadata.namespace === deployment.metadata.namespace,
          );
          if (service !== undefined) expect(at(service, 'spec', 'selector')).toEqual(selector);
        }
      }),
      RUNS,
    ));

  it('a Service has each port and each port name once', () =>
    fc.assert(
      fc.asyncProperty(documents, async (objects) => {
        for (const service of ofKind(await renderDocuments(objects), 'Service')) {
          const ports = at(service, 'spec', 'ports') as unknown as {
            name: string;
            port: number;
            protocol: string;
          }[];
          expect(new Set(ports.map(({ port, protocol }) => `${port}/${protocol}`)).size).toBe(ports.length);
          expect(new Set(ports.map(({ name }) => name)).size).toBe(ports.length);
          for (const { name } of ports) expect(name).toMatch(/^(?!.*--)[a-z][a-z0-9-]{0,13}[a-z0-9]$/);
        }
      }),
      RUNS,
    ));

  it("no user's key overrides ours, and none that is reserved reaches an object", () =>
    fc.assert(
      fc.asyncProperty(documents, async (objects) => {
        for (const object of objectsOf(await renderDocuments(objects))) {
          const template = at(object, 'spec', 'template') as JsonObject | undefined;
          for (const metadata of [
            object.metadata,
            ...(template === undefined ? [] : [at(template, 'metadata')]),
          ]) {
            const [namespace, name] = String(at(metadata, 'annotations', 'gari.dev/gateway')).split('/');
            expect(object.metadata.namespace).toBe(namespace);
            expect(at(metadata, 'labels')).toMatchObject({
              'app.kubernetes.io/managed-by': 'gari',
              'app.kubernetes.io/name': 'gari-dataplane',
              'gari.dev/component': 'dataplane',
              'gateway.networking.k8s.io/gateway-name': labelValue(name!),
            });
            for (const field of ['labels', 'annotations']) {
              expect(at(metadata, field)).not.toHaveProperty(['app.kubernetes.io/instance']);
              expect(at(metadata, field)).not.toHaveProperty(['argocd.argoproj.io/tracking-id']);
            }
          }
        }
      }),
      RUNS,
    ));

  it('a change of listeners changes no pod, but for the port that HTTP/3 is advertised on', () =>
    fc.assert(
      fc.asyncProperty(documents, listeners, async (objects, changed) => {
        const withChange = objects.map((object) =>
          object.kind === 'Gateway'
            ? { ...object, spec: { ...(object.spec as JsonObject), listeners: changed } }
            : object,
        );
        const [before, after] = [await renderDocuments(objects), await renderDocuments(withChange)];
        for (const deployment of ofKind(before, 'Deployment')) {
          const other = ofKind(after, 'Deployment').find(
            ({ metadata }) =>
              formatYaml(metadata.name) === formatYaml(deployment.metadata.name) &&
              metadata.namespace === deployment.metadata.namespace,
          );
          expect(withoutAdvertisedPort(other?.spec)).toEqual(withoutAdvertisedPort(deployment.spec));
        }
      }),
      RUNS,
    ));

  it('the input is not changed', () =>
    fc.assert(
      fc.asyncProperty(documents, async (objects) => {
        const before = JSON.stringify(objects);
        await renderDocuments(objects.map((object) => deepFreeze(structuredClone(object))));
        expect(JSON.stringify(objects)).toBe(before);
      }),
      RUNS,
    ));
});

describe('names', () => {
  const part = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,70}[a-z0-9])?$/);
  // A name, its shortened look-alikes, and what they look like when they are shortened in turn.
  const formsOf = (name: string): string[] => {
    const shortened = renderedName(name).replace(/-gari$/, '');
    return [name, shortened, `${shortened}-gari`, labelValue(name), name.replaceAll('.', '-'), `g${name}`];
  };
  const family = part.chain((name) => fc.constantFrom(...formsOf(name)));

  it('are DNS-1035 labels of at most 63 characters, and label values as well', () =>
    fc.assert(
      fc.property(family, (name) => {
        expect(renderedName(name)).toMatch(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/);
        expect(labelValue(name)).toMatch(/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/);
      }),
      { ...RUNS, numRuns: 2_000 },
    ));

  it('never collide', () =>
    fc.assert(
      fc.property(part, part, fc.nat(5), fc.nat(5), (a, b, formA, formB) => {
        const [x, y] = [formsOf(a)[formA]!, formsOf(formA === formB ? b : a)[formB]!];
        fc.pre(x !== y);
        expect(renderedName(x)).not.toBe(renderedName(y));
        expect(labelValue(x)).not.toBe(labelValue(y));
      }),
      { ...RUNS, numRuns: 5_000 },
    ));
});

function expectNothingEmpty(value: Json): void {
  expect(value).not.toBeNull();
  if (typeof value !== 'object' || value === null) return;
  expect(Object.keys(value).length).toBeGreaterThan(0);
  for (const child of Object.values(value)) expectNothingEmpty(child);
}

function withoutAdvertisedPort(spec: Json | undefined): string {
  return JSON.stringify(spec).replace(/,"--proxy-http3-advertised-port=\d+"/, '');
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const child of Object.values(value)) deepFreeze(child);
  return Object.freeze(value);
}
