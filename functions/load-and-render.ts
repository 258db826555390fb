import { ownClassNames } from '../render/claim.ts';
import { DEFAULT_IMAGE } from '../render/data-plane.ts';
import type { Diagnostic } from '../render/diagnostic.ts';
import type { JsonObject } from '../render/json.ts';
import { type RenderInput, type RenderResult, render } from '../render/render.ts';
import { readFiles } from './input/files.ts';
import { loadFiles } from './input/load.ts';
import { loadJudge } from './input/load-judge.ts';

/** The flags that say what is read and how it is rendered. */
export interface InputFlags {
  readonly className: readonly string[];
  readonly controllerName: string;
  readonly gateway?: string;
  readonly gatewayApiCrds?: string;
  readonly image?: string;
  readonly namespace: string;
  readonly validate: boolean;
}

/** The input of a command and what it renders to. */
export interface LoadedAndRendered {
  readonly input: RenderInput;
  /** The Gateways as they were written, without defaults, by `<namespace>/<name>`. */
  readonly writtenGateways: ReadonlyMap<string, JsonObject>;
  readonly result: RenderResult;
  /** How many files were read. */
  readonly files: number;
  /** The classes whose Gateways are gari's, and those that the input holds. */
  readonly ownClasses: ReadonlySet<string>;
  readonly knownClasses: ReadonlySet<string>;
  /** Of reading; those of rendering are in the result. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Adds to the input what it refers to and does not hold. */
export type Complete = (
  input: RenderInput,
) => Promise<{ readonly input: RenderInput; readonly diagnostics: readonly Diagnostic[] }>;

/** Reads the input and renders it. */
export async function loadAndRender(
  paths: readonly string[],
  flags: InputFlags,
  complete: Complete = async (input) => ({ input, diagnostics: [] }),
): Promise<LoadedAndRendered> {
  const { files, diagnostics: unreadable } = await readFiles(paths);
  const { judge, diagnostics: noJudge } = await loadJudge(flags);
  const {
    input: written,
    writtenGateways,
    diagnostics: invalid,
  } = await loadFiles(files, {
    namespace: flags.namespace,
    ...(judge === undefined ? {} : { judge }),
  });
  const read = [...unreadable, ...noJudge, ...invalid];
  const isWrong = read.some(({ severity }) => severity === 'error');
  const { input, diagnostics: incomplete } = isWrong
    ? { input: written, diagnostics: [] }
    : await complete(written);
  const claim = { controllerName: flags.controllerName, classNames: flags.className };
  const result = render(input, {
    ...claim,
    image: flags.image ?? DEFAULT_IMAGE,
    ...(flags.gateway === undefined ? {} : { gateway: flags.gateway }),
  });
  const classes = input.gatewayClasses.map(({ object }) => object);
  return {
    input,
    writtenGateways,
    result,
    files: files.length,
    ownClasses: ownClassNames(classes, claim),
    knownClasses: new Set(classes.map(({ metadata }) => metadata.name)),
    diagnostics: [...read, ...incomplete],
  };
}
