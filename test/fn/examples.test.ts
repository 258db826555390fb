// Each example, run twice by the real kpt, as the kpt catalog tests its own.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeTool } from '../tools.ts';
import { kptPackage } from './kpt-package.ts';

const update = process.env.GARI_UPDATE_GOLDEN === '1' && process.env.CI === undefined;
const examples = readdirSync('examples').filter((name) => existsSync(`examples/${name}/Kptfile`));
const GIT = 'git -c user.name=test -c user.email=test@example.com -C package';

describeTool('kpt', () => {
  it.each(examples)('%s', (name) => {
    const example = kptPackage(`examples/${name}`);
    const begin = example.run(`${GIT} init -q && ${GIT} add -A && ${GIT} commit -qm begin`);
    expect(begin.stderr).toBe('');

    const render = 'kpt fn render package --allow-exec --truncate-output=false';
    const first = example.run(`${render} --results-dir results`);
    const rendered = example.hashes();
    const second = example.run(render);
    expect(example.hashes(), 'a second run changes nothing').toEqual(rendered);
    expect(second.status).toBe(first.status);

    if (first.status === 0) {
      // The other ways in which kpt runs a function give the same files.
      const config = existsSync(`examples/${name}/render-gateways.yaml`)
        ? '--fn-config package/render-gateways.yaml'
        : '';
      const evaluated = kptPackage(`examples/${name}`);
      expect(evaluated.run(`kpt fn eval package --exec gari-fn ${config}`).status).toBe(0);
      expect(evaluated.hashes()).toEqual(rendered);
      const piped = kptPackage(`examples/${name}`);
      const pipe = `set -o pipefail; kpt fn source package ${config} | gari-fn | kpt fn sink new && rm -r package && mv new package`;
      expect(piped.run(pipe).status).toBe(0);
      // Only YAML travels in a ResourceList.
      const { 'README.md': _, ...yaml } = rendered;
      expect(Object.keys(piped.hashes())).toEqual(Object.keys(yaml));
    }

    const { stdout: patch } = example.run(
      `${GIT} add -A && ${GIT} diff --cached --no-color -- . ':!Kptfile'`,
    );
    const { stdout: results, stderr } = example.run('cat results/results.yaml');
    expect(stderr, first.stderr).toBe('');
    check(`examples/${name}/.expected/diff.patch`, patch.replace(/^index .*\n/gm, ''));
    check(`examples/${name}/.expected/results.yaml`, results);
  });
});

function check(path: string, actual: string): void {
  if (update) {
    mkdirSync(path.replace(/\/[^/]*$/, ''), { recursive: true });
    writeFileSync(path, actual);
  }
  expect(actual).toBe(readFileSync(path, 'utf8'));
}
