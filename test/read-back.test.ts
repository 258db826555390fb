import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatYaml, parseYaml } from '../functions/yaml.ts';
import { NASTY_STRINGS, nastyConfigMap } from './nasty-strings.ts';
import { describeTool } from './tools.ts';

const configMap = nastyConfigMap('nasty');
// As the key of a map that nobody checks.
const keys = Object.fromEntries(NASTY_STRINGS.map((text, index) => [`${text}`, String(index)]));

describeTool('kubectl', () => {
  it('reads every string as it was written, as a value and as a key', () => {
    const written = formatYaml({ ...configMap, data: { ...configMap.data, ...keys } });
    const { stdout, stderr } = spawnSync(
      'kubectl',
      ['annotate', '--local', '--filename=-', '--output=json', 'example.com/read=yes'],
      { input: written, encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    const read = JSON.parse(stdout);
    const { 'example.com/read': _, ...annotations } = read.metadata.annotations;
    expect(annotations).toEqual(configMap.metadata.annotations);
    expect(read.data).toEqual({ ...configMap.data, ...keys });
  });
});

// The package takes a dot or an exponent without digits for a float in its YAML 1.1 mode; no other reader does.
const READ_AS_FLOAT = new Set(['.', '._', 'e1']);

describe('other readers', () => {
  it.each(NASTY_STRINGS)('%j', (text) => {
    const object = { map: { text, [`${text}`]: 'key' } };
    const written = formatYaml(object);
    expect(parseYaml(written)).toEqual(object);
    expect(parse(written, { version: '1.2' })).toEqual(object);
    if (!READ_AS_FLOAT.has(text)) expect(parse(written, { version: '1.1', merge: false })).toEqual(object);
  });
});
