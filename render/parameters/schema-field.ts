import type { JsonObject } from '../json.ts';
import type { StructuralSchema } from '../validation/structural-schema.ts';

/**
 * Whether a Gateway's own parameters may set a field: `allowed` unless the class denies it, `refused`
 * unless the class allows it, or `never`, whatever the class says.
 */
export type GatewayDecision = 'allowed' | 'refused' | 'never';

/** A rule about a value, for the API server in CEL and for us in TypeScript. */
export interface FieldRule {
  readonly rule: string;
  readonly message: string;
  /** The same as `rule`, of a value that satisfies the schema. */
  readonly holds: (self: JsonObject) => boolean;
}

/** A schema with descriptions, rules and Kubernetes' own types by name. */
export interface SchemaNode
  extends Omit<
    StructuralSchema,
    'properties' | 'items' | 'additionalProperties' | 'x-kubernetes-validations'
  > {
  readonly description?: string;
  /** A type of `kubernetes-types.json`, in place of all else. */
  readonly kubernetes?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode;
  readonly rules?: readonly FieldRule[];
}

/** A field that is decided about as a whole. */
export interface FieldLeaf extends SchemaNode {
  readonly description: string;
  readonly gateway: GatewayDecision;
  /** In words, what holds where it is left out and gari, not Kubernetes, decides. */
  readonly byDefault?: string;
  /** Fields of it, or of its items, that no Gateway may ever set, although the class allows the rest. */
  readonly never?: readonly string[];
}

/** Fields that belong together. */
export interface FieldGroup {
  readonly description: string;
  /** Where no Gateway may set any of them. */
  readonly gateway?: 'never';
  readonly fields: Readonly<Record<string, Field>>;
  readonly rules?: readonly FieldRule[];
}

export type Field = FieldLeaf | FieldGroup;

/** The type of what satisfies a field; Kubernetes' own types are plain JSON objects. */
export type ValueOf<T> = T extends { readonly fields: infer F }
  ? { readonly [K in keyof F]?: ValueOf<F[K]> }
  : T extends { readonly kubernetes: string }
    ? JsonObject
    : T extends { readonly enum: readonly (infer E)[] }
      ? E
      : T extends { readonly type: 'string' }
        ? string
        : T extends { readonly type: 'integer' }
          ? number
          : T extends { readonly type: 'boolean' }
            ? boolean
            : T extends { readonly 'x-kubernetes-int-or-string': true }
              ? number | string
              : T extends { readonly type: 'array'; readonly items: infer I }
                ? readonly ValueOf<I>[]
                : T extends { readonly additionalProperties: infer A }
                  ? { readonly [key: string]: ValueOf<A> }
                  : T extends { readonly properties: infer P; readonly required: readonly (infer R)[] }
                    ? { readonly [K in Extract<keyof P, R>]: ValueOf<P[K]> } & {
                        readonly [K in Exclude<keyof P, R>]?: ValueOf<P[K]>;
                      }
                    : T extends { readonly properties: infer P }
                      ? { readonly [K in keyof P]?: ValueOf<P[K]> }
                      : JsonObject;
