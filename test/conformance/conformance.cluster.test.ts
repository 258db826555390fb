import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_CONTROLLER_NAME } from '../../render/claim.ts';
import { findConformanceSuite } from '../cluster/assets.ts';
import { auditEvents } from '../cluster/audit.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { eventually } from '../cluster/eventually.ts';
import type { ManagedProcess } from '../cluster/process.ts';
import { describeCluster, ownCluster } from '../cluster/vitest.ts';
import { CONTROLLER_USER, startShippedController } from './controller.ts';
import { LEFT_OUT, PASSES } from './expected.ts';
import { conformancePage, withoutTimes } from './page.ts';
import { listTests, runSuite, type SuiteTest } from './suite.ts';

const PAGE = fileURLToPath(new URL('../../docs/reference/conformance.md', import.meta.url));
const CLASS = 'gateway-conformance';

interface GatewayClass {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly supportedFeatures?: readonly { readonly name: string }[];
  };
}

describeCluster(
  'the conformance suite of the Gateway API',
  ['gateway-api', 'controller-manager', 'scheduler', 'kwok', 'metallb'],
  () => {
    let program: string;
    let all: readonly SuiteTest[];
    beforeAll(async () => {
      program = await findConformanceSuite(console.log);
      all = listTests(program);
    }, 600_000);

    test('has each test in one of the two lists, and no other is there', () => {
      const names = all.map(({ name }) => name);
      const listed = [...PASSES, ...LEFT_OUT.flatMap(({ tests }) => tests)];
      const unknown = names.filter((name) => !listed.includes(name));
      const gone = listed.filter((name) => !names.includes(name));
      expect(unknown, 'new tests: put each into a list of test/conformance/expected.ts').toEqual([]);
      expect(gone, 'tests that the suite no longer has: remove them from expected.ts').toEqual([]);
    });

    test('passes what it is to pass, and the class claims just that', async () => {
      // Its own: the suite's namespaces and the class have fixed names, and a second run must not meet them.
      const cluster = await ownCluster();
      const controller = await startShippedController(cluster);
      onTestFinished(async ({ task }) => {
        await controller.stop();
        if (task.result?.state === 'fail') console.error(readFileSync(controller.logFile, 'utf8'));
      });
      const supportedFeatures = await acceptedClass(cluster, controller);

      const results = await runSuite(program, {
        tests: PASSES,
        // All tests ask for `Gateway`, also those that need nothing else of it than gari provides.
        features: ['Gateway', ...supportedFeatures],
        kubeconfig: cluster.kubeconfig,
        directory: cluster.directory,
      });
      expect(results.tests).toEqual(Object.fromEntries(PASSES.map((name) => [name, 'passed'])));
      expect(supportedFeatures).toEqual(featuresPassed(all));
      const refused = (await auditEvents(cluster)).filter(
        ({ responseStatus }) => responseStatus?.code === 403,
      );
      expect(refused.filter(({ user }) => user.username === CONTROLLER_USER)).toEqual([]);

      const before = readFileSync(PAGE, 'utf8');
      const page = conformancePage({ version: suiteVersion(), supportedFeatures, results }, before);
      console.log(
        `conformance: set-up ${results.setupSeconds.toFixed(1)} s, tests ${results.testsSeconds.toFixed(1)} s`,
      );
      if (process.env.GARI_UPDATE_CONFORMANCE) writeFileSync(PAGE, page);
      else expect(withoutTimes(page), 'run npm run conformance').toBe(withoutTimes(before));
    }, 400_000);
  },
);

/** Creates the suite's GatewayClass; returns the features it claims once the controller has accepted it. */
async function acceptedClass({ client }: Cluster, controller: ManagedProcess): Promise<readonly string[]> {
  await client.create({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name: CLASS },
    spec: { controllerName: DEFAULT_CONTROLLER_NAME },
  });
  return eventually(
    `GatewayClass ${CLASS} is accepted`,
    async () => {
      const { status } = await client.get<GatewayClass>(
        `/apis/gateway.networking.k8s.io/v1/gatewayclasses/${CLASS}`,
      );
      const accepted = status?.conditions?.some(
        ({ type, status }) => type === 'Accepted' && status === 'True',
      );
      return accepted && (status?.supportedFeatures ?? []).map(({ name }) => name);
    },
    { giveUp: () => (controller.ended ? 'the controller has ended' : undefined) },
  );
}

/** The features of which every test passes. */
function featuresPassed(all: readonly SuiteTest[]): readonly string[] {
  const features = new Set(all.flatMap(({ features }) => features));
  for (const { name, features: needed } of all) {
    if (!PASSES.includes(name)) for (const feature of needed) features.delete(feature);
  }
  return [...features].sort();
}

function suiteVersion(): string {
  const goMod = readFileSync(new URL('./go.mod', import.meta.url), 'utf8');
  const version = /sigs\.k8s\.io\/gateway-api\/conformance (v\S+)/.exec(goMod)?.[1];
  if (version === undefined) throw new Error('go.mod does not require the conformance suite');
  return version;
}
