// `npm run cluster:build`: builds what is missing, all modules.

import { ensureModule } from './build.ts';
import { allModules } from './go-modules.ts';
import { messageOf } from './text.ts';

const start = Date.now();
try {
  for (const module of allModules()) {
    const directory = await ensureModule(module, { report: (line) => console.log(line) });
    console.log(`${module.folder}: ${directory}`);
  }
  console.log(`all there, ${((Date.now() - start) / 1000).toFixed(1)} s`);
} catch (error) {
  console.error(`cluster:build: ${messageOf(error)}`);
  process.exitCode = 1;
}
