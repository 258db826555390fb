/** What a run of the queue is about. */
export type QueueKey =
  | { readonly what: 'gateway'; readonly namespace: string; readonly name: string }
  | { readonly what: 'class'; readonly name: string }
  | { readonly what: 'binding' }
  | { readonly what: 'sweep' };

/** The shared binding: one key, as its list of subjects has one writer. */
export const BINDING_KEY = 'binding';
export const SWEEP_KEY = 'sweep';

/** The key of a Gateway, from `<namespace>/<name>`. */
export function gatewayQueueKey(key: string): string {
  return `gateway/${key}`;
}

/** The key of a GatewayClass. */
export function classQueueKey(name: string): string {
  return `class/${name}`;
}

/** What a key of the queue says. */
export function parseQueueKey(key: string): QueueKey {
  const [what, first = '', second = ''] = key.split('/');
  switch (what) {
    case 'gateway':
      return { what, namespace: first, name: second };
    case 'class':
      return { what, name: first };
    case BINDING_KEY:
      return { what: 'binding' };
    default:
      return { what: 'sweep' };
  }
}
