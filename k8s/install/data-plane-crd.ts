import type { JsonObject } from '../../render/json.ts';
import type { RenderedObject } from '../../render/objects.ts';
import { DATA_PLANE } from '../../render/parameters/data-plane-schema.ts';
import { DATA_PLANE_SCHEMA } from '../../render/parameters/structural.ts';

/** The CustomResourceDefinition of DataPlane. */
export function dataPlaneCrd(): RenderedObject {
  const { group, version, kind, plural, singular } = DATA_PLANE;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      // The category of the Gateway API's own kinds: `kubectl get gateway-api` shows them all.
      names: {
        ...{ kind, listKind: `${kind}List`, plural, singular },
        ...{ shortNames: ['gdp'], categories: ['gateway-api'] },
      },
      versions: [
        {
          ...{ name: version, served: true, storage: true },
          additionalPrinterColumns: [
            column('Image', 'string', '.spec.container.image', 'Image of the data plane.'),
            column('Replicas', 'integer', '.spec.deployment.replicas', 'Number of pods.'),
            column('Service', 'string', '.spec.service.type', 'Type of the Service.'),
            column('Access', 'string', '.spec.access', 'What the data plane may read of the cluster.'),
            column('Age', 'date', '.metadata.creationTimestamp', 'Time since the object was created.'),
          ],
          schema: { openAPIV3Schema: DATA_PLANE_SCHEMA as unknown as JsonObject },
        },
      ],
    },
  };
}

function column(name: string, type: string, jsonPath: string, description: string): JsonObject {
  return { name, type, jsonPath, description };
}
