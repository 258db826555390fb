/**
 * How server-side apply merges a field. Maps merge field by field and lists are atomic unless said
 * otherwise here, as in the `x-kubernetes-list-map-keys` and `x-kubernetes-map-type` of the
 * Kubernetes API. Strategic-merge keys are others: they lose one of TCP and UDP on one port
 * (kubernetes/kubernetes#105610).
 */
export interface MergeSchema {
  /** A map or list that is replaced as a whole. */
  readonly atomic?: true;
  /** The fields that identify an item of an associative list. */
  readonly keys?: readonly string[];
  /** Fields of a map, or of an item of the list. */
  readonly fields?: Readonly<Record<string, MergeSchema>>;
  /** The members of a union, of which only one may be set: these, or all fields but one. */
  readonly union?: Union;
}

/** A union's members: some fields, or all but one. */
export interface Union {
  readonly only?: readonly string[];
  readonly allBut?: string;
}

/** What the server takes for a list key that an item leaves out. */
export const KEY_DEFAULTS: Readonly<Record<string, string>> = { protocol: 'TCP' };

const atomic: MergeSchema = { atomic: true };
const named: MergeSchema = { keys: ['name'] };

const probe: MergeSchema = { union: { only: ['exec', 'grpc', 'httpGet', 'tcpSocket'] } };
const hook: MergeSchema = { union: { only: ['exec', 'httpGet', 'sleep', 'tcpSocket'] } };

const container: MergeSchema = {
  keys: ['name'],
  fields: {
    lifecycle: { fields: { postStart: hook, preStop: hook } },
    livenessProbe: probe,
    readinessProbe: probe,
    startupProbe: probe,
    env: {
      keys: ['name'],
      union: { only: ['value', 'valueFrom'] },
      fields: {
        valueFrom: {
          union: { only: ['configMapKeyRef', 'fieldRef', 'fileKeyRef', 'resourceFieldRef', 'secretKeyRef'] },
          fields: {
            configMapKeyRef: atomic,
            fieldRef: atomic,
            fileKeyRef: atomic,
            resourceFieldRef: atomic,
            secretKeyRef: atomic,
          },
        },
      },
    },
    ports: { keys: ['containerPort', 'protocol'] },
    resources: { fields: { claims: named } },
    volumeDevices: { keys: ['devicePath'] },
    volumeMounts: { keys: ['mountPath'] },
  },
};

const claimTemplate: MergeSchema = { fields: { spec: { fields: { dataSource: atomic, selector: atomic } } } };

const podSpec: MergeSchema = {
  fields: {
    containers: container,
    hostAliases: { keys: ['ip'] },
    imagePullSecrets: named,
    initContainers: container,
    nodeSelector: atomic,
    resourceClaims: named,
    resources: { fields: { claims: named } },
    schedulingGates: named,
    topologySpreadConstraints: {
      keys: ['topologyKey', 'whenUnsatisfiable'],
      fields: { labelSelector: atomic },
    },
    volumes: {
      keys: ['name'],
      union: { allBut: 'name' },
      fields: { ephemeral: { fields: { volumeClaimTemplate: claimTemplate } } },
    },
  },
};

const metadata: MergeSchema = { fields: { ownerReferences: { keys: ['uid'] } } };

/** The schema of each kind that is made by layering. */
export const MERGE_SCHEMAS = {
  ServiceAccount: { fields: { metadata, secrets: named } },
  RoleBinding: { fields: { metadata, roleRef: atomic, subjects: atomic } },
  Deployment: {
    fields: {
      metadata,
      spec: { fields: { selector: atomic, template: { fields: { metadata, spec: podSpec } } } },
    },
  },
  Service: {
    fields: { metadata, spec: { fields: { ports: { keys: ['port', 'protocol'] }, selector: atomic } } },
  },
} as const satisfies Record<string, MergeSchema>;

/** The kinds that are made by layering. */
export type LayeredKind = keyof typeof MERGE_SCHEMAS;
