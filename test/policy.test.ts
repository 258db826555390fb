// What the parameters of a Gateway may set: a decision about each field, and what a tenant may try.
import { describe, expect, it } from 'vitest';
import { formatYaml } from '../functions/yaml.ts';
import type { JsonObject } from '../render/json.ts';
import { specSchema } from '../render/parameters/cases/cases.ts';
import { sampleOf } from '../render/parameters/cases/sample.ts';
import { DATA_PLANE_SPEC } from '../render/parameters/data-plane-schema.ts';
import type { Field } from '../render/parameters/schema-field.ts';
import { schemaAt } from '../render/validation/structural-schema.ts';
import { runGari } from './run-gari.ts';

/** Whether a Gateway may set a field: unless the class denies it, only if the class allows it, or never. */
type Decision = 'yes' | 'if allowed' | 'never';

// Not read from the fields themselves: whoever adds one decides here a second time.
const DECISIONS: Readonly<Record<string, Decision>> = {
  access: 'if allowed',
  http3: 'if allowed',
  infrastructureMetadata: 'if allowed',
  'container.image': 'if allowed',
  'container.imageRegistry': 'if allowed',
  'container.imagePullPolicy': 'if allowed',
  'container.command': 'if allowed',
  'container.args': 'if allowed',
  'container.env': 'if allowed',
  'container.envFrom': 'if allowed',
  'container.ports.http': 'if allowed',
  'container.ports.https': 'if allowed',
  'container.ports.tls': 'if allowed',
  'container.ports.ready': 'if allowed',
  'container.readyPath': 'if allowed',
  'container.readinessProbe': 'if allowed',
  'container.livenessProbe': 'if allowed',
  'container.startupProbe': 'if allowed',
  'container.preStop': 'if allowed',
  'container.resources': 'yes',
  'container.securityContext': 'if allowed',
  'container.volumeMounts': 'if allowed',
  'pod.labels': 'yes',
  'pod.annotations': 'yes',
  'pod.imagePullSecrets': 'if allowed',
  'pod.securityContext': 'if allowed',
  'pod.nodeSelector': 'yes',
  'pod.affinity': 'yes',
  'pod.topologySpreadConstraints': 'yes',
  'pod.tolerations': 'if allowed',
  'pod.priorityClassName': 'if allowed',
  'pod.terminationGracePeriodSeconds': 'yes',
  'pod.volumes': 'if allowed',
  'deployment.labels': 'if allowed',
  'deployment.annotations': 'if allowed',
  'deployment.replicas': 'yes',
  'deployment.strategy': 'yes',
  'deployment.minReadySeconds': 'yes',
  'deployment.progressDeadlineSeconds': 'yes',
  'deployment.revisionHistoryLimit': 'yes',
  'service.labels': 'yes',
  'service.annotations': 'yes',
  'service.type': 'if allowed',
  'service.loadBalancerClass': 'if allowed',
  'service.allocateLoadBalancerNodePorts': 'if allowed',
  'service.externalTrafficPolicy': 'if allowed',
  'service.internalTrafficPolicy': 'if allowed',
  'service.healthCheckNodePort': 'if allowed',
  'service.sessionAffinity': 'if allowed',
  'service.sessionAffinityTimeoutSeconds': 'if allowed',
  'service.ipFamilyPolicy': 'if allowed',
  'service.ipFamilies': 'if allowed',
  'service.loadBalancerSourceRanges': 'if allowed',
  'service.extraPorts': 'if allowed',
  'service.nodePorts': 'if allowed',
  'service.requestedAddress': 'if allowed',
  'serviceAccount.labels': 'if allowed',
  'serviceAccount.annotations': 'if allowed',
  'overlays.serviceAccount': 'if allowed',
  'overlays.roleBinding': 'if allowed',
  'overlays.deployment': 'if allowed',
  'overlays.service': 'if allowed',
  policy: 'never',
  enforced: 'never',
};

// Where a rule refuses the smallest value.
const SAMPLES: Readonly<Record<string, JsonObject>> = { 'container.preStop': { sleep: { seconds: 1 } } };

/** The way in which a tenant gives the parameters. */
type Form = 'DataPlane' | 'ConfigMap';
const FORMS: readonly Form[] = ['DataPlane', 'ConfigMap'];

/** Parameters in one of their two forms. */
function parameters(form: Form, namespace: string, name: string, spec: JsonObject): JsonObject {
  const metadata = { namespace, name };
  return form === 'DataPlane'
    ? { apiVersion: 'gari.dev/v1alpha1', kind: form, metadata, spec }
    : { apiVersion: 'v1', kind: form, metadata, data: { 'dataplane.yaml': formatYaml(spec) } };
}

function reference(form: Form, name: string): JsonObject {
  return { group: form === 'DataPlane' ? 'gari.dev' : '', kind: form, name };
}

/** Renders a Gateway whose tenant gives this spec; the class has parameters only if it has a policy. */
async function asTenant(form: Form, spec: JsonObject, policy?: JsonObject) {
  const ofClass = { ...reference('DataPlane', 'class'), namespace: 'gari-system' };
  const { exitCode, stdout, stderr } = await runGari(
    'render',
    [
      {
        apiVersion: 'gateway.networking.k8s.io/v1',
        kind: 'GatewayClass',
        metadata: { name: 'gari' },
        spec: {
          controllerName: 'gari.dev/gateway-controller',
          ...(policy === undefined ? {} : { parametersRef: ofClass }),
        },
      },
      ...(policy === undefined ? [] : [parameters('DataPlane', 'gari-system', 'class', { policy })]),
      parameters(form, 'prod', 'own', spec),
      {
        apiVersion: 'gateway.networking.k8s.io/v1',
        kind: 'Gateway',
        metadata: { name: 'web', namespace: 'prod' },
        spec: {
          gatewayClassName: 'gari',
          infrastructure: { parametersRef: reference(form, 'own') },
          listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
        },
      },
    ],
    '--diagnostics=json',
  );
  const diagnostics = stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Said);
  return { exitCode, stdout, errors: diagnostics.filter(({ severity }) => severity === 'error') };
}

interface Said {
  readonly severity: string;
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

/** The fields that are decided about as a whole. */
function leaves(field: Field, path: string): readonly string[] {
  if (!('fields' in field) || field.gateway === 'never') return [path];
  return Object.entries(field.fields).flatMap(([name, below]) =>
    leaves(below, path === '' ? name : `${path}.${name}`),
  );
}

function specWith(path: string): JsonObject {
  const steps = path.split('.');
  const schema = schemaAt(specSchema(), steps);
  const value = SAMPLES[path] ?? sampleOf(schema ?? {});
  return steps.reduceRight<JsonObject>((below, step) => ({ [step]: below }), value as JsonObject);
}

describe('the parameters of a Gateway', () => {
  it('have no field that nobody has decided about', () => {
    expect(Object.keys(DECISIONS).sort()).toEqual([...leaves(DATA_PLANE_SPEC, '')].sort());
  });

  describe.each(FORMS)('in a %s', (form) => {
    const inForm = (path: string) =>
      form === 'DataPlane' ? `spec.${path}` : `data["dataplane.yaml"].${path}`;

    it.each(Object.entries(DECISIONS))('%s: %s', async (path, decision) => {
      const spec = specWith(path);
      const accepted = { exitCode: 0, errors: [] };
      const isRefused = async (policy?: JsonObject) => {
        const { exitCode, stdout, errors } = await asTenant(form, spec, policy);
        expect(errors).toMatchObject([{ reason: 'InvalidParameters', field: inForm(path) }]);
        // Nothing is rendered: what is there is kept.
        expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      };
      if (decision === 'yes') {
        expect(await asTenant(form, spec)).toMatchObject(accepted);
        expect(await asTenant(form, spec, {})).toMatchObject(accepted);
        await isRefused({ deny: [path] });
        // What is denied is stronger.
        await isRefused({ deny: [path.split('.')[0]!], allow: [path] });
        return;
      }
      await isRefused();
      await isRefused({});
      if (decision === 'never') return;
      expect(await asTenant(form, spec, { allow: [path] })).toMatchObject(accepted);
      expect(await asTenant(form, spec, { allow: [path.split('.')[0]!] })).toMatchObject(accepted);
      await isRefused({ allow: [path], deny: [path] });
    });
  });
});

const overlay = (kind: 'deployment' | 'service' | 'serviceAccount' | 'roleBinding', merge: JsonObject) => ({
  overlays: { [kind]: { merge } },
});
const inPod = (spec: JsonObject) => overlay('deployment', { spec: { template: { spec } } });
const dataplane = (fields: JsonObject) => inPod({ containers: [{ name: 'dataplane', ...fields }] });
const ALL = [
  'access',
  'container',
  'deployment',
  'http3',
  'infrastructureMetadata',
  'pod',
  'service',
  'serviceAccount',
];

/** What a tenant tries, and whether even a class that allows all fields but overlays does not let it. */
const ATTEMPTS: Readonly<Record<string, readonly [spec: JsonObject, always?: 'always']>> = {
  'a directory of the node': [{ pod: { volumes: [{ name: 'a', hostPath: { path: '/' } }] } }, 'always'],
  'a directory of the node, as a second volume': [
    {
      pod: {
        volumes: [
          { name: 'a', emptyDir: {} },
          { name: 'b', hostPath: { path: '/etc' } },
        ],
      },
    },
    'always',
  ],
  'a directory of the node, by an overlay': [
    inPod({ volumes: [{ name: 'a', hostPath: { path: '/' } }] }),
    'always',
  ],
  'a privileged container': [{ container: { securityContext: { privileged: true } } }, 'always'],
  'a privileged container, by an overlay': [dataplane({ securityContext: { privileged: true } }), 'always'],
  'a privileged sidecar': [
    inPod({ containers: [{ name: 'b', image: 'x', securityContext: { privileged: true } }] }),
    'always',
  ],
  'an unmasked /proc': [{ container: { securityContext: { procMount: 'Unmasked' } } }, 'always'],
  'a capability': [{ container: { securityContext: { capabilities: { add: ['SYS_ADMIN'] } } } }],
  'the root user': [{ pod: { securityContext: { runAsNonRoot: false, runAsUser: 0 } } }],
  "the node's network": [inPod({ hostNetwork: true }), 'always'],
  "the node's processes": [inPod({ hostPID: true }), 'always'],
  "a port of the node's": [
    dataplane({ ports: [{ containerPort: 8000, protocol: 'TCP', hostPort: 80 }] }),
    'always',
  ],
  'a node of its choice': [inPod({ nodeName: 'control-plane' }), 'always'],
  'a node that is not for it': [{ pod: { tolerations: [{ operator: 'Exists' }] } }],
  'the place of other pods': [{ pod: { priorityClassName: 'system-cluster-critical' } }],
  'another service account': [inPod({ serviceAccountName: 'admin' }), 'always'],
  'another service account, by its old name': [inPod({ serviceAccount: 'admin' }), 'always'],
  'another image, by an overlay': [dataplane({ image: 'x' }), 'always'],
  'another image': [{ container: { image: 'example.com/miner' } }],
  'the same image from elsewhere': [{ container: { imageRegistry: 'example.com' } }],
  'another program of the image': [{ container: { command: ['sh', '-c', 'id'] } }],
  'to be a subject': [{ access: 'Shared' }],
  'to be a subject, with an image of its own': [{ access: 'Shared', container: { image: 'x' } }],
  'another subject': [overlay('roleBinding', { subjects: [{ kind: 'User', name: 'me' }] }), 'always'],
  'another role': [
    overlay('roleBinding', { roleRef: { kind: 'ClusterRole', name: 'cluster-admin' } }),
    'always',
  ],
  "a cloud's rights": [{ serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'x' } } }],
  "somebody else's traffic": [overlay('service', { spec: { externalIPs: ['192.0.2.1'] } }), 'always'],
  "somebody else's pods": [overlay('service', { spec: { selector: { app: 'bank' } } }), 'always'],
  'a policy of its own': [{ policy: { allow: ['overlays'] } }, 'always'],
  'a policy of its own, and what it allows': [
    { policy: { allow: ['container.image'] }, container: { image: 'x' } },
    'always',
  ],
  'to enforce': [{ enforced: { container: { image: 'x' } } }, 'always'],
};

describe('a tenant who tries to get', () => {
  it.each(Object.entries(ATTEMPTS))('%s is refused', async (_, [spec, always]) => {
    for (const form of FORMS) {
      const policies = [undefined, {}, ...(always === undefined ? [] : [{ allow: ALL }])];
      for (const policy of policies) {
        const { exitCode, stdout, errors } = await asTenant(form, spec, policy);
        expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
        expect(errors.map(({ reason }) => reason)).toContain('InvalidParameters');
      }
    }
  });

  it('more access than the class lets it ask for is refused', async () => {
    const policy = { allow: ['access'], maxAccess: 'Namespaced' };
    expect((await asTenant('DataPlane', { access: 'Namespaced' }, policy)).exitCode).toBe(0);
    const { errors } = await asTenant('DataPlane', { access: 'Shared' }, policy);
    expect(errors).toMatchObject([{ reason: 'InvalidParameters', field: 'spec.access' }]);
  });

  // Identity stays whatever a class allows.
  it.each<[string, JsonObject]>([
    ['another service account', inPod({ serviceAccountName: 'admin' })],
    ['another service account, by its old name', inPod({ serviceAccount: 'admin' })],
    ["somebody else's pods", overlay('service', { spec: { selector: { app: 'bank' } } })],
    ['another subject', overlay('roleBinding', { subjects: [{ kind: 'User', name: 'me' }] })],
    ['another namespace', overlay('deployment', { metadata: { namespace: 'kube-system' } })],
    ['an owner', overlay('serviceAccount', { metadata: { ownerReferences: [] } })],
    ["a name of somebody else's", overlay('service', { metadata: { name: 'bank' } })],
    ['our label', overlay('deployment', { metadata: { labels: { 'gari.dev/component': 'x' } } })],
  ])('%s is refused even where the class allows overlays', async (_, spec) => {
    const { exitCode, errors } = await asTenant(
      'DataPlane',
      { access: 'Namespaced', ...spec },
      { allow: [...ALL, 'overlays'] },
    );
    expect(exitCode).toBe(1);
    expect(errors.map(({ reason }) => reason)).toContain('InvalidParameters');
  });
});
