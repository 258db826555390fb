import type { Gateway, GatewayClass, NamespacedMeta, ObjectMeta } from '../../render/gateway-api.ts';
import type { LiveObject } from '../live-object.ts';
import type { Condition } from './conditions.ts';

/** What only a server says of an object. */
interface ServerMeta {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
}

/** A Gateway as it is in the cluster. */
export interface ObservedGateway extends Gateway {
  readonly metadata: NamespacedMeta & ServerMeta;
  readonly status?: ObservedStatus;
}

/** What of a Gateway's status is gari's to write. */
export interface ObservedStatus {
  readonly conditions?: readonly Condition[];
  readonly addresses?: readonly StatusAddress[];
  readonly attachedListenerSets?: number;
}

/** An address under which a Gateway is reached. */
export interface StatusAddress {
  readonly type: 'IPAddress' | 'Hostname';
  readonly value: string;
}

/** A GatewayClass as it is in the cluster. */
export interface ObservedClass extends GatewayClass {
  readonly metadata: ObjectMeta & ServerMeta;
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly supportedFeatures?: readonly { readonly name: string }[];
  };
}

/** A Deployment, as far as it says whether a data plane serves. */
export interface ObservedDeployment {
  readonly metadata: LiveObject['metadata'] & { readonly generation?: number };
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly availableReplicas?: number;
    readonly updatedReplicas?: number;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

/** A Service, as far as it says where a Gateway is reached. */
export interface ObservedService {
  readonly metadata: LiveObject['metadata'];
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
  };
  readonly status?: {
    readonly loadBalancer?: {
      readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[];
    };
  };
}
