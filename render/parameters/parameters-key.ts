/** The key of a ConfigMap under which the spec of a DataPlane stands. */
export const PARAMETERS_KEY = 'dataplane.yaml';
