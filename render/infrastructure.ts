import { type Diagnostic, diagnose, subjectOf } from './diagnostic.ts';
import type { Gateway } from './gateway-api.ts';
import type { InfrastructureMetadata } from './gateway-context.ts';
import type { Path } from './json.ts';
import type { LayerOrigin } from './layers.ts';
import { compareText } from './normalize.ts';
import { reservedReason } from './reserved-keys.ts';
import type { Sourced } from './source.ts';

/** The part of `spec.infrastructure` that reaches the children, and a warning for each key that does not. */
export function infrastructureMetadata(gateway: Sourced<Gateway>): {
  metadata: InfrastructureMetadata;
  diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const allowed = (field: 'labels' | 'annotations'): Record<string, string> => {
    const entries = Object.entries(gateway.object.spec.infrastructure?.[field] ?? {});
    return Object.fromEntries(
      entries
        .sort(([a], [b]) => compareText(a, b))
        .filter(([key]) => {
          const reason = reservedReason(key);
          if (reason !== undefined) {
            const path = ['spec', 'infrastructure', field, key];
            diagnostics.push(
              diagnose('warning', 'ReservedKey', subjectOf(gateway), path, `is dropped: ${reason}`),
            );
          }
          return reason === undefined;
        }),
    );
  };
  return { metadata: { labels: allowed('labels'), annotations: allowed('annotations') }, diagnostics };
}

/** Where the values of the infrastructure layer stand in the Gateway. */
export function infrastructureOrigin(gateway: Sourced<Gateway>): LayerOrigin {
  return { ...subjectOf(gateway), fieldOf };
}

function fieldOf(path: Path): Path | undefined {
  const [field, key] = path.slice(-2);
  if (field === 'labels' || field === 'annotations') return ['spec', 'infrastructure', field, key ?? ''];
  return key === 'loadBalancerIP' ? ['spec', 'addresses'] : undefined;
}
