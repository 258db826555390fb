// The CRD of DataPlane before its judge: the API server takes it, and refuses what gari refuses offline.
import { beforeAll, expect, it } from 'vitest';
import { formatYaml, parseYaml } from '../functions/yaml.ts';
import { isJsonObject, type JsonObject } from '../render/json.ts';
import { dataPlaneCases } from '../render/parameters/cases/cases.ts';
import { DATA_PLANE_KIND } from '../render/parameters/data-plane-kind.ts';
import { DATA_PLANE } from '../render/parameters/data-plane-schema.ts';
import { readDataPlane, readParametersConfigMap } from '../render/parameters/read-parameters.ts';
import { randomObjects } from '../render/validation/cases/random-cases.ts';
import { kubectl } from './cluster/kubectl.ts';
import { describeCluster, sharedCluster } from './cluster/vitest.ts';
import { ensureDataPlaneCrd } from './data-plane-crd.ts';
import { askBoth, inParallel, verdictOf } from './two-judges.ts';

const RANDOM = 2000;
const cases = dataPlaneCases();
const metadata = { name: 'case', namespace: 'default' };

describeCluster('the CRD of DataPlane', [], () => {
  let conditions: Awaited<ReturnType<typeof ensureDataPlaneCrd>> = [];
  beforeAll(async () => {
    conditions = await ensureDataPlaneCrd();
  });

  it('is taken by the API server, without a complaint', () => {
    const said = conditions.map(({ type, status }) => `${type} ${status}`).sort();
    expect(said).toEqual(['Established True', 'NamesAccepted True']);
  });

  it('refuses what gari refuses, in a DataPlane and in a ConfigMap', async () => {
    const disagreements = await inParallel(cases, async ({ name, object, expected }) => {
      const { validation, disagreement } = await compare(object);
      const said = verdictOf(validation) === expected ? '' : ` expected to be ${expected}`;
      const inConfigMap = isJsonObject(object.spec) ? await configMapVerdict(object.spec) : expected;
      const moved = inConfigMap === expected ? '' : ` ${inConfigMap} in a ConfigMap`;
      return disagreement + said + moved && `${name}: ${disagreement}${said}${moved}`;
    });
    expect(disagreements).toEqual([]);
  }, 300_000);

  it('judges DataPlanes with random changes as gari does', async () => {
    const seed = Number(process.env.GARI_TEST_SEED ?? 1);
    const disagreements = await inParallel(randomObjects(cases, RANDOM, seed), async (object) => {
      const { disagreement } = await compare(object);
      return disagreement && `${JSON.stringify(object)}: ${disagreement}`;
    });
    expect(disagreements).toEqual([]);
  }, 300_000);

  it('is explained by kubectl', async () => {
    const explain = async (field: string) => {
      const { stdout, stderr, code } = await kubectl(sharedCluster(), ['explain', field]);
      expect(code, stderr).toBe(0);
      return stdout.replaceAll(/\s+/g, ' ');
    };
    expect(await explain('dataplane.spec')).toContain('policy <Object> What the parameters of Gateways');
    expect(await explain('gdp.spec.container.ports.http')).toContain('By default: 8000.');
  });
});

function compare(object: JsonObject) {
  return askBoth(DATA_PLANE_KIND, DATA_PLANE.version, object, 'Strict', async (given) => {
    const { problems } = await readDataPlane(given, metadata);
    return { problems, warnings: [] };
  });
}

async function configMapVerdict(spec: JsonObject) {
  const configMap = { data: { 'dataplane.yaml': formatYaml(spec) } };
  return verdictOf(await readParametersConfigMap(configMap, metadata, parseYaml));
}
