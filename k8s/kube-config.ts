// A module of its own so that it becomes a bundle of its own: most of client-node is never used, and
// what runs in a pod never reads it.
export { KubeConfig } from '@kubernetes/client-node';
