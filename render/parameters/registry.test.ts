import { expect, it } from 'vitest';
import { fromRegistry } from './registry.ts';

it.each([
  ['gari-dataplane:v0.1.0', undefined, 'gari-dataplane:v0.1.0'],
  ['gari-dataplane:v0.1.0', 'mirror.example.com', 'mirror.example.com/gari-dataplane:v0.1.0'],
  ['library/nginx', 'mirror.example.com', 'mirror.example.com/library/nginx'],
  ['ghcr.io/a/b:1', 'mirror.example.com:5000/x', 'mirror.example.com:5000/x/a/b:1'],
  ['localhost/b', 'mirror.example.com', 'mirror.example.com/b'],
  ['localhost:5000/b@sha256:00', 'mirror.example.com', 'mirror.example.com/b@sha256:00'],
])('%s from %s is %s', (image, registry, expected) => expect(fromRegistry(image, registry)).toBe(expected));
