import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

/** What a command did. */
export interface CommandRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A package of the running test's own, to run kpt on. */
export interface KptPackage {
  readonly path: string;
  write(name: string, text: string): void;
  read(name: string): string;
  remove(name: string): void;
  /** Each file with a hash of its bytes. */
  hashes(): Record<string, string>;
  /** Runs a shell command beside the package, which is `package` there, with `gari-fn` on PATH. */
  run(command: string): CommandRun;
  /** Puts another executable on PATH. */
  executable(name: string, script: string): void;
}

/** Makes a package from files, or from a directory without its `.expected`. */
export function kptPackage(from: string | Readonly<Record<string, string>>): KptPackage {
  const root = mkdtempSync(join(tmpdir(), 'gari-kpt-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const path = join(root, 'package');
  const bin = join(root, 'bin');
  mkdirSync(path);
  mkdirSync(bin);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  if (typeof from === 'string') {
    cpSync(from, path, { recursive: true, filter: (source) => !source.includes('.expected') });
  } else for (const [name, text] of Object.entries(from)) write(name, text);
  const executable = (name: string, script: string): void => {
    writeFileSync(join(bin, name), script);
    chmodSync(join(bin, name), 0o755);
  };
  executable('gari-fn', `#!/bin/sh\nexec ${resolve('dist/gari-fn.cjs')} "$@"\n`);
  return {
    path,
    write,
    executable,
    read: (name) => readFileSync(join(path, name), 'utf8'),
    remove: (name) => rmSync(join(path, name)),
    hashes: () =>
      Object.fromEntries(
        files(path).map((name) => [
          name,
          createHash('sha256')
            .update(readFileSync(join(path, name)))
            .digest('hex'),
        ]),
      ),
    run: (command) => {
      const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, HOME: root };
      return spawnSync('bash', ['-c', command], { cwd: root, env, encoding: 'utf8' });
    },
  };
}

function files(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('.git') && statSync(join(directory, name)).isFile())
    .sort();
}
