import type { LiveObject } from '../live-object.ts';
import type { ClusterObject } from '../resources.ts';

/**
 * Foreign objects in the way of Gateways. Each is followed on its own, as the cache holds only what has gari's
 * label, until no Gateway is blocked by it any more.
 */
export interface Blockers {
  /** Follows these objects for a Gateway (`<namespace>/<name>`), and no others. */
  set(gateway: string, objects: readonly ClusterObject[]): void;
  /** Those followed for a Gateway. */
  of(gateway: string): readonly ClusterObject[];
  /** What is there; `unknown` until it has been read. */
  get(object: ClusterObject): LiveObject | 'unknown' | undefined;
}
