import { join } from 'node:path';
import type { Diagnostic } from '../render/diagnostic.ts';
import type { RenderedObject } from '../render/objects.ts';
import type { RenderResult } from '../render/render.ts';
import { foreignRole } from '../render/subjects.ts';
import { subjectsTakenOff, wantedBinding } from './binding.ts';
import { fileError } from './input/files.ts';
import type { Io } from './io.ts';
import { type InputFlags, loadAndRender } from './load-and-render.ts';
import { countsOf, plural } from './output/counts.ts';
import { directoryProblem, type OutputPlan, planOutput, writeOutput } from './output/directory.ts';
import { bindingFile, gatewayFile, gatewayFileName } from './output/gateway-files.ts';
import { formatJsonList, formatYamlStream, inApplyOrder } from './output/objects.ts';
import { duplicateBindings, otherBindings } from './output/other-bindings.ts';
import { type DiagnosticsFormat, formatDiagnostics } from './output/print-diagnostics.ts';
import { isSystemError, systemReason } from './system-error.ts';
import { refuseToLose } from './unclear-class.ts';

/** The flags of `gari render`. */
export interface RenderFlags extends InputFlags {
  readonly bindingName: string;
  readonly diagnostics: DiagnosticsFormat;
  readonly format: 'yaml' | 'json';
  readonly outputDir?: string;
  readonly quiet?: boolean;
}

/** What a run is going to put out; nothing happens before `commit`. */
interface Output {
  readonly diagnostics: readonly Diagnostic[];
  /** What was done, if it is. */
  readonly summary: readonly Diagnostic[];
  /** Puts it out, and returns what failed. */
  readonly commit: () => readonly Diagnostic[];
}

/** Runs `gari render` and returns its exit code: 0 done, 1 the input is wrong. */
export async function renderCommand(paths: readonly string[], flags: RenderFlags, io: Io): Promise<number> {
  const loaded = await loadAndRender(paths, flags);
  const { input, result, diagnostics } = loaded;
  // The binding's list has one owner: from a part of the Gateways it would revoke the others' rights.
  const bindingsThere = input.clusterRoleBindings.filter(
    ({ object }) => object.metadata.name === flags.bindingName,
  );
  const wanted =
    flags.gateway === undefined
      ? wantedBinding(flags.bindingName, result, bindingsThere[0]?.object)
      : undefined;
  const binding = wanted === 'remove' ? undefined : wanted;
  const output =
    flags.outputDir === undefined
      ? print(result, binding, flags, io)
      : write(result, binding, flags.outputDir, flags, (directory, name) =>
          otherBindings({ directory, name, bindingName: flags.bindingName }, paths, bindingsThere),
        );

  const bindingProblems =
    binding === undefined ? [] : [...bindingsThere.flatMap(foreignRole), ...duplicateBindings(bindingsThere)];
  if (wanted !== undefined) bindingProblems.push(...subjectsTakenOff(bindingsThere[0], binding));
  const problems = [...diagnostics, ...bindingProblems, ...output.diagnostics];
  const tell = (diagnostics: readonly Diagnostic[]): void => {
    const shown = diagnostics.filter(({ severity }) => flags.quiet !== true || severity === 'error');
    io.stderr(formatDiagnostics(shown, flags.diagnostics));
  };
  tell(problems);
  if (problems.some(({ severity }) => severity === 'error')) return 1;
  const failures = output.commit();
  tell(failures.length > 0 ? failures : [...countsOf(result.objects.size, loaded), ...output.summary]);
  return failures.length > 0 ? 1 : 0;
}

function print(
  { objects, diagnostics }: RenderResult,
  binding: RenderedObject | undefined,
  { format }: RenderFlags,
  io: Io,
): Output {
  const all = inApplyOrder([
    ...[...objects.values()].flat(),
    ...(objects.size > 0 && binding ? [binding] : []),
  ]);
  return {
    diagnostics: diagnostics.map(cannotKeep),
    summary: [],
    commit: () => {
      if (all.length > 0) io.stdout(format === 'json' ? formatJsonList(all) : formatYamlStream(all));
      return [];
    },
  };
}

// Whoever applies a stream without the Service, and prunes, loses the Service's address.
function cannotKeep(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.reason !== 'NoPort') return diagnostic;
  const message =
    'has no listener that can be served, so there is no Service to print, and standard output cannot keep an earlier one; mend the listeners, or use --output-dir';
  return { ...diagnostic, severity: 'error', message };
}

function write(
  { objects, retain, diagnostics }: RenderResult,
  binding: RenderedObject | undefined,
  directory: string,
  { gateway }: RenderFlags,
  bindingElsewhere: (directory: string, name: string) => readonly Diagnostic[],
): Output {
  const refused = (problem: Diagnostic): Output => ({
    diagnostics: [...diagnostics, problem],
    summary: [],
    commit: () => [],
  });
  const problem = directoryProblem(directory);
  if (problem !== undefined) return refused(problem);
  let plan: OutputPlan;
  const elsewhere: Diagnostic[] = [];
  try {
    const files = [...objects]
      .filter(([, rendered]) => rendered.length > 0)
      .map(([key, rendered]) => gatewayFile(directory, key, rendered, retain));
    if (binding !== undefined) {
      const file = bindingFile(binding);
      files.push(file);
      elsewhere.push(...bindingElsewhere(directory, file.name));
    }
    plan = planOutput(directory, files, gateway === undefined);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return refused(fileError(error.path ?? directory, 'Obstacle', systemReason(error)));
  }
  const message = `${directory}: ${plural(plan.write.length, 'file')} written, ${plan.remove.length} removed, ${plan.unchanged} unchanged`;
  return {
    diagnostics: [
      ...refuseToLose(diagnostics, (key) => plan.remove.includes(gatewayFileName(key))),
      ...elsewhere,
      ...plan.diagnostics,
    ],
    summary: [
      ...plan.remove.map((name) => removed(join(directory, name))),
      { severity: 'info', reason: 'Written', message },
    ],
    commit: () => writeOutput(directory, plan),
  };
}

function removed(path: string): Diagnostic {
  const message = `${path}: removed, as no Gateway of gari's in the input needs it any more`;
  return { severity: 'info', reason: 'Removed', message };
}
