// Runs one command in a process group of its own and kills that group when standard input closes.
//
// The starting process holds the other end of that pipe and never writes to it. The kernel closes it when that
// process ends, however it ends (SIGKILL included), so nothing a test run has started outlives it.
// Plain JavaScript, so that it starts without a loader. Usage: node supervisor.mjs COMMAND [ARGUMENT…]
// File descriptor 3, if the parent opened it, gets the command's process id on one line.
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });

function killGroup() {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is already gone.
  }
}

child.once('error', (error) => {
  console.error(`cannot start ${command}: ${error.message}`);
  process.exit(127);
});

child.once('spawn', () => {
  try {
    writeSync(3, `${child.pid}\n`);
  } catch {
    // Nobody asked for the process id.
  }
});

child.once('exit', (code) => {
  // What the command itself has started must not stay behind either.
  killGroup();
  process.exit(code ?? 1);
});

process.stdin.once('close', killGroup);
process.stdin.resume();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, killGroup);
