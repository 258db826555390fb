/** One Go module of this folder: what is built from it and which of its files are needed. */
export interface GoModule {
  /** Folder with `go.mod` and `go.sum`, from here. */
  readonly folder: string;
  /** Name of the result; default the folder. */
  readonly name?: string;
  /** The required module whose version names the result. */
  readonly versionOf: string;
  /** Binary name → main package. */
  readonly binaries: Readonly<Record<string, string>>;
  /** Directory name → where its YAML files come from. */
  readonly files: Readonly<Record<string, { readonly module: string; readonly paths: readonly string[] }>>;
  /** A Go variable that gets the version, for `-ldflags -X`. */
  readonly versionVariable?: string;
}

/** The Kubernetes minor version of an ordinary run. */
export const DEFAULT_KUBERNETES = '1.36';

/** The module of etcd and Kubernetes; each minor version that can be asked for is a folder. */
export function kubernetesModule(
  minor: string = process.env.GARI_TEST_KUBERNETES ?? DEFAULT_KUBERNETES,
): GoModule {
  return {
    folder: `kubernetes-${minor}`,
    versionOf: 'k8s.io/kubernetes',
    binaries: {
      etcd: 'go.etcd.io/etcd/server/v3',
      'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
      'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
      'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
      kubectl: 'k8s.io/kubernetes/cmd/kubectl',
    },
    files: {},
    // Without it the server calls itself v0.0.0.
    versionVariable: 'k8s.io/component-base/version.gitVersion',
  };
}

/** The fake kubelet, and the stages that make nodes and pods ready at once. */
export const KWOK: GoModule = {
  folder: 'kwok',
  versionOf: 'sigs.k8s.io/kwok',
  binaries: { kwok: 'sigs.k8s.io/kwok/cmd/kwok' },
  files: {
    'kwok-stages': {
      module: 'sigs.k8s.io/kwok',
      paths: [
        'kustomize/stage/node/fast/node-initialize.yaml',
        'kustomize/stage/node/heartbeat-with-lease/node-heartbeat-with-lease.yaml',
        'kustomize/stage/pod/fast/pod-ready.yaml',
        'kustomize/stage/pod/fast/pod-complete.yaml',
        'kustomize/stage/pod/fast/pod-delete.yaml',
      ],
    },
  },
};

/** The allocator of load-balancer addresses. */
export const METALLB: GoModule = {
  folder: 'metallb',
  versionOf: 'go.universe.tf/metallb',
  binaries: { 'metallb-controller': 'go.universe.tf/metallb/controller' },
  files: { 'metallb-crds': { module: 'go.universe.tf/metallb', paths: ['config/crd/bases'] } },
};

/** The Gateway API's CRDs: `go mod tidy` keeps their module because the conformance suite imports it. */
export const GATEWAY_API: GoModule = {
  folder: '../conformance',
  name: 'gateway-api',
  versionOf: 'sigs.k8s.io/gateway-api',
  binaries: {},
  files: { 'gateway-api-crds': { module: 'sigs.k8s.io/gateway-api', paths: ['config/crd/standard'] } },
};

/** The Gateway API's conformance suite, of the same version: it refuses other CRDs. */
export const CONFORMANCE: GoModule = {
  folder: '../conformance',
  name: 'conformance',
  versionOf: 'sigs.k8s.io/gateway-api/conformance',
  binaries: { 'gateway-api-conformance': 'gari.dev/test/conformance' },
  files: {},
};

/** kustomize as a program of its own: it can run functions as programs, which the one in kubectl cannot. */
export const KUSTOMIZE: GoModule = {
  folder: 'kustomize',
  versionOf: 'sigs.k8s.io/kustomize/kustomize/v5',
  binaries: { kustomize: 'sigs.k8s.io/kustomize/kustomize/v5' },
  files: {},
};

/** All of them, in the order in which they are built. */
export function allModules(): GoModule[] {
  return [kubernetesModule(), KWOK, METALLB, GATEWAY_API, CONFORMANCE, KUSTOMIZE];
}
