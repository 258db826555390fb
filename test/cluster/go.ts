import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { spawnSupervised } from './process.ts';
import { ClusterUnavailable } from './text.ts';

const OWN_BINARIES = 'or set KUBEBUILDER_ASSETS to a directory with etcd, kube-apiserver and kubectl';
const NO_NETWORK =
  /dial tcp|no such host|connection refused|connection reset|i\/o timeout|handshake timeout|network is unreachable|proxyconnect|module lookup disabled/;

/** Options of {@link runGo}. */
export interface GoOptions {
  /** The module's directory. */
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Gets each line of standard error while `go` runs. */
  readonly onLine?: (line: string) => void;
}

/**
 * Runs `go` and returns its standard output. It ends with this process, so that a killed run leaves no build
 * behind. A failure is one line that says what to do.
 */
export async function runGo(args: readonly string[], options: GoOptions): Promise<string> {
  const env = { ...(options.env ?? process.env), GOWORK: 'off' };
  const go = spawnSupervised('go', args, 'pipe', env, options.cwd);
  if (!go.stdout || !go.stderr) throw new Error('the supervisor has no output');
  let output = '';
  go.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const errors: string[] = [];
  createInterface({ input: go.stderr }).on('line', (line) => {
    errors.push(line);
    options.onLine?.(line);
  });
  const [code] = (await once(go, 'close')) as [number | null];
  if (code !== 0) throw new ClusterUnavailable(explainGoFailure(args[0] ?? '', errors));
  return output;
}

/** One line that says what went wrong and what to do, from what `go` has printed. */
function explainGoFailure(verb: string, errors: readonly string[]): string {
  const text = errors.join('\n');
  if (/cannot start go: .*ENOENT/.test(text)) {
    return `Go is not installed (no \`go\` on PATH): install Go 1.26 or newer, ${OWN_BINARIES}`;
  }
  const old = /requires go >= (\S+) \(running go ([^;)\s]+)/.exec(text);
  if (old) {
    return `Go ${old[2]} is too old, ${old[1]} is needed: install a newer one, or let go fetch it (GOTOOLCHAIN=auto), ${OWN_BINARIES}`;
  }
  if (/invalid go version|toolchain not available/.test(text)) {
    return `Go is too old for these modules: install Go 1.26 or newer, ${OWN_BINARIES} (go said: ${last(errors)})`;
  }
  if (NO_NETWORK.test(text)) {
    return `no network: Go cannot fetch its modules; run again when the Go module proxy can be reached (GOPROXY), ${OWN_BINARIES} (go said: ${last(errors)})`;
  }
  if (/no space left on device/.test(text)) {
    return 'the disk is full: the build needs about 6 GB in the Go caches and 1 GB here; make room and run again';
  }
  if (/signal: killed/.test(text)) {
    return 'the compiler was killed, most likely for want of memory: free some (3 GB are enough) and run again';
  }
  if (/checksum mismatch|missing go\.sum entry|updates to go\.mod needed/.test(text)) {
    return `go.mod and go.sum do not fit together: run \`go mod tidy\` in the module's folder and commit both (go said: ${last(errors)})`;
  }
  return `go ${verb} failed: ${last(errors)}`;
}

function last(errors: readonly string[]): string {
  const said = errors
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('exit status'));
  // The same refusal comes once per package.
  return [...new Set(said)].slice(-2).join(' | ') || 'nothing';
}
