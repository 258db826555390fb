// The ready-made data planes: each renders to its golden, and listens where its probe and its Service point.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../render/json.ts';
import { readDataPlane } from '../render/parameters/read-parameters.ts';
import { DATA_PLANES, exampleObjects } from './data-planes.ts';
import { gariRender } from './fixtures.ts';

const update = process.env.GARI_UPDATE_GOLDEN === '1' && process.env.CI === undefined;

interface Deployment {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
          readonly readinessProbe: { readonly httpGet: { readonly path: string } };
        }[];
      };
    };
  };
}

describe.each(DATA_PLANES)('examples/data-planes/%s', (name) => {
  const directory = `examples/data-planes/${name}`;

  it('renders to its golden, without a warning', async () => {
    const files = [`${directory}/class.yaml`, `${directory}/gateway.yaml`];
    const { exitCode, stdout, stderr } = await gariRender(...files);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    if (update) writeFileSync(`${directory}/rendered.yaml`, stdout);
    expect(stdout).toBe(readFileSync(`${directory}/rendered.yaml`, 'utf8'));
  });

  it('has parameters of which gari says nothing', async () => {
    const all = [...exampleObjects(name, 'class'), ...exampleObjects(name, 'gateway')];
    const parameters = all.filter(({ kind }) => kind === 'DataPlane');
    expect(parameters.length).toBeGreaterThan(0);
    for (const object of parameters) {
      const { problems } = await readDataPlane(object, { name: 'any', namespace: 'any' });
      expect(problems).toEqual([]);
    }
  });
});

describe('the configuration of', () => {
  it.each(DATA_PLANES.filter((name) => name !== 'gari'))('%s listens where it is asked', (name) => {
    const deployment = exampleObjects(name, 'rendered').find(({ kind }) => kind === 'Deployment');
    const [container] = (deployment as unknown as Deployment).spec.template.spec.containers;
    const configMap = exampleObjects(name, 'gateway').find(({ kind }) => kind === 'ConfigMap');
    const [configuration] = Object.values((configMap as { data: JsonObject }).data) as string[];
    for (const port of container!.ports.filter(({ name }) => name !== 'https')) {
      expect(configuration).toMatch(new RegExp(`(listen|port_value:) ${port.containerPort}\\b`));
    }
    expect(configuration).toContain(container!.readinessProbe.httpGet.path);
  });
});
