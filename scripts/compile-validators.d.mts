import type { Plugin } from 'esbuild';

export function compiledValidators(): Plugin;
