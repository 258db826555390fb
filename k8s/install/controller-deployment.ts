import type { JsonObject } from '../../render/json.ts';
import type { RenderedObject } from '../../render/objects.ts';
import { LEASE_NAME } from './controller-rbac.ts';

/** The name of all that is the controller's in its namespace. */
export const CONTROLLER_NAME = 'gari-controller';

// Never `managed-by: gari`, which says of an object that it was made for a Gateway.
export const CONTROLLER_LABELS: Readonly<Record<string, string>> = {
  'app.kubernetes.io/name': CONTROLLER_NAME,
  'app.kubernetes.io/part-of': 'gari',
};

const HEALTH_PORT = 8081;
const METRICS_PORT = 8080;

/** Two replicas, one of which works; its pods pass Pod Security `restricted`. */
export function controllerDeployment(
  namespace: string,
  image: string,
  args: readonly string[],
): RenderedObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: CONTROLLER_NAME, namespace, labels: CONTROLLER_LABELS },
    spec: {
      replicas: 2,
      selector: { matchLabels: CONTROLLER_LABELS },
      template: { metadata: { labels: CONTROLLER_LABELS }, spec: podSpec(image, args) },
    },
  };
}

/** Keeps one of the replicas while nodes are drained. */
export function controllerDisruptionBudget(namespace: string): RenderedObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: CONTROLLER_NAME, namespace, labels: CONTROLLER_LABELS },
    spec: { maxUnavailable: 1, selector: { matchLabels: CONTROLLER_LABELS } },
  };
}

function podSpec(image: string, args: readonly string[]): JsonObject {
  return {
    serviceAccountName: CONTROLLER_NAME,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    // Longer than work under way is waited for before the Lease is handed over.
    terminationGracePeriodSeconds: 40,
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: CONTROLLER_LABELS },
      },
    ],
    containers: [
      {
        name: 'controller',
        image,
        args: ['controller', `--leader-elect=$(POD_NAMESPACE)/${LEASE_NAME}`, ...args],
        env: [{ name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }],
        ports: [
          { name: 'health', containerPort: HEALTH_PORT, protocol: 'TCP' },
          { name: 'metrics', containerPort: METRICS_PORT, protocol: 'TCP' },
        ],
        livenessProbe: probe('/healthz', 20),
        readinessProbe: probe('/readyz', 5),
        resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '512Mi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true,
        },
        // What was missing at the start shows in `kubectl describe pod`.
        terminationMessagePolicy: 'FallbackToLogsOnError',
      },
    ],
  };
}

function probe(path: string, periodSeconds: number): JsonObject {
  return { httpGet: { path, port: 'health' }, periodSeconds, timeoutSeconds: 5 };
}
