import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';

/**
 * Like `describe`, for tests that run a tool of somebody else. Where it is not installed they are
 * skipped and the title says so; with `CI=true` that is a failure.
 */
export function describeTool(tool: string, body: () => void): void {
  const installed = spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0;
  if (installed) describe(tool, body);
  else if (process.env.CI === 'true') throw new Error(`${tool} is not installed`);
  else describe.skip(`${tool} [SKIPPED: not installed]`, body);
}
