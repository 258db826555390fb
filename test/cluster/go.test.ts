import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureModule } from './build.ts';
import { type GoModule, kubernetesModule } from './go-modules.ts';
import { ClusterUnavailable } from './text.ts';

const MODULE: GoModule = {
  folder: 'sample',
  versionOf: 'example.com/tool',
  binaries: { renamed: 'example.com/tool/v5' },
  files: {},
};

let directory: string;
let lines: string[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gari-build-'));
  lines = [];
  mkdirSync(join(directory, 'path'));
  mkdirSync(join(directory, 'modules', 'sample'), { recursive: true });
  writeModule('v5.0.0');
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function writeModule(version: string) {
  const mod = `module sample\n\ngo 1.26.0\n\nrequire example.com/tool ${version}\n`;
  writeFileSync(join(directory, 'modules', 'sample', 'go.mod'), mod);
  writeFileSync(join(directory, 'modules', 'sample', 'go.sum'), '');
}

/** Puts a program called `go` on PATH. `$out` is the directory that it is to build into. */
function fakeGo(script: string) {
  const file = join(directory, 'path', 'go');
  writeFileSync(
    file,
    `#!/bin/sh\nfor last; do out=$previous; previous=$last; done\necho "$@" >>${directory}/calls\n${script}\n`,
  );
  chmodSync(file, 0o755);
}

function build(module: GoModule = MODULE): Promise<string> {
  return ensureModule(module, {
    report: (line) => lines.push(line),
    modules: join(directory, 'modules'),
    bin: join(directory, 'bin'),
    // Nothing else is on it: the fake uses what its shell has built in.
    env: { PATH: join(directory, 'path') },
  });
}

function calls(): number {
  return readFileSync(join(directory, 'calls'), 'utf8').trim().split('\n').length;
}

const BUILDS = 'echo sample/package >&2; echo program >"$out/tool"';

describe('a build', () => {
  test('is done once, and again when go.mod says something else', async () => {
    fakeGo(BUILDS);
    const first = await build();
    expect(readFileSync(join(first, 'renamed'), 'utf8')).toBe('program\n');
    expect(await build()).toBe(first);
    expect(calls()).toBe(1);
    expect(lines).toEqual([
      expect.stringContaining('sample: building v5.0.0'),
      expect.stringMatching(/^sample: built in/),
    ]);

    writeModule('v5.0.1');
    const second = await build();
    expect(second).toContain('sample-v5.0.1-');
    // What is outdated is removed.
    expect(readdirSync(join(directory, 'bin'))).toEqual([second.slice(join(directory, 'bin').length + 1)]);
  });

  test('is done again when the module’s own program changes', async () => {
    fakeGo(BUILDS);
    const own = join(directory, 'modules', 'sample', 'main.go');
    writeFileSync(own, 'package main');
    const first = await build();
    expect(await build()).toBe(first);
    writeFileSync(own, 'package main // changed');
    expect(await build()).not.toBe(first);
    expect(calls()).toBe(2);
  });

  test('of one folder for two purposes keeps both', async () => {
    fakeGo(BUILDS);
    const one = await build({ ...MODULE, name: 'one' });
    const other = await build({ ...MODULE, name: 'other' });
    expect(await build({ ...MODULE, name: 'one' })).toBe(one);
    expect([basename(one), basename(other)]).toEqual([
      expect.stringMatching(/^one-v5\.0\.0-/),
      expect.stringMatching(/^other-v5\.0\.0-/),
    ]);
    expect(calls()).toBe(2);
  });

  test('that was killed leaves nothing that is taken for a finished one', async () => {
    const half = join(directory, 'bin', '.half-built-1-earlier-sample-v5.0.0-0');
    mkdirSync(half, { recursive: true });
    fakeGo(BUILDS);
    const finished = await build();
    expect(readdirSync(join(directory, 'bin'))).toEqual([finished.slice(join(directory, 'bin').length + 1)]);
  });

  test('that fails leaves nothing, and the next one succeeds', async () => {
    fakeGo('echo half >"$out/tool"; echo "tool.go:1: does not compile" >&2; exit 1');
    await expect(build()).rejects.toThrow('go build failed: tool.go:1: does not compile');
    expect(readdirSync(join(directory, 'bin'))).toEqual([]);
    fakeGo(BUILDS);
    await build();
  });
});

describe('one line says what is wrong and what to do', () => {
  test.each([
    [
      'Go too old',
      'go: go.mod requires go >= 1.26.0 (running go 1.24.1; GOTOOLCHAIN=local)',
      /^Go 1\.24\.1 is too old, 1\.26\.0 is needed: install a newer one/,
    ],
    [
      'Go far too old',
      "go: errors parsing go.mod:\ngo.mod:3: invalid go version '1.26.0': must match format 1.23",
      /^Go is too old for these modules: install Go 1\.26/,
    ],
    [
      'no network',
      'go: example.com/tool@v5.0.0: Get "https://proxy.invalid/x": dial tcp: lookup proxy.invalid: no such host',
      /^no network: Go cannot fetch its modules; run again when/,
    ],
    [
      'no network allowed',
      'go: example.com/tool@v5.0.0: module lookup disabled by GOPROXY=off',
      /^no network: /,
    ],
    ['disk full', 'link: write: no space left on device', /^the disk is full: /],
    ['no memory', 'compile: signal: killed', /^the compiler was killed, most likely for want of memory/],
    [
      'go.sum out of step',
      'missing go.sum entry for module',
      /^go\.mod and go\.sum do not fit together: run `go mod tidy`/,
    ],
  ])('%s', async (_, output, message) => {
    fakeGo(`printf '%s\\n' '${output.replaceAll("'", "'\\''")}' >&2; exit 1`);
    const error = await build().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ClusterUnavailable);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('\n');
  });

  test('Go missing', async () => {
    await expect(build()).rejects.toThrow(
      /^Go is not installed \(no `go` on PATH\): install Go 1\.26 or newer, or set KUBEB/,
    );
  });

  test('a Kubernetes version that is not there', async () => {
    await expect(build(kubernetesModule('1.12'))).rejects.toThrow(
      /^test\/cluster\/kubernetes-1\.12 is not there: .*GARI_TEST/,
    );
  });
});
