import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import { translatePattern } from './re2.ts';

const environment = new Environment({ unlistedVariablesAreDyn: true });

/** Thrown for what this translation does not know. */
class Untranslatable extends Error {}

/**
 * A CEL rule as the source of a JavaScript function of `self` that calls `rule-runtime.ts` as `r`: a
 * rule that holds costs a bundle no CEL library at start. Undefined for a rule that uses more of CEL than
 * the Gateway API's rules do; the library then judges it.
 */
export function ruleCode(rule: string): string | undefined {
  try {
    return `(self) => ${code(environment.parse(rule).ast, new Map([['self', 'self']]))}`;
  } catch (error) {
    if (error instanceof Untranslatable) return undefined;
    throw error;
  }
}

type Scope = ReadonlyMap<string, string>;

function code(node: ASTNode, scope: Scope): string {
  const { op, args } = node;
  switch (op) {
    case 'value':
      return literal(args);
    case 'id':
      return scope.get(args) ?? fail(args);
    case '.':
      return `r.get(${code(args[0], scope)}, ${field(args[1])})`;
    case '[]':
      return `r.at(${code(args[0], scope)}, ${index(args[1])})`;
    case 'list':
      return `[${args.map((item) => code(item, scope)).join(', ')}]`;
    case '?:':
      return `(r.bool(${code(args[0], scope)}) ? ${code(args[1], scope)} : ${code(args[2], scope)})`;
    case '!_':
      return `!r.bool(${code(args, scope)})`;
    case '||':
    case '&&':
      return `r.${op === '||' ? 'or' : 'and'}(() => ${code(args[0], scope)}, () => ${code(args[1], scope)})`;
    case '==':
      return `r.equal(${code(args[0], scope)}, ${code(args[1], scope)})`;
    case '!=':
      return `!r.equal(${code(args[0], scope)}, ${code(args[1], scope)})`;
    case '<':
      return `r.less(${code(args[0], scope)}, ${code(args[1], scope)})`;
    case '>':
      return `r.less(${code(args[1], scope)}, ${code(args[0], scope)})`;
    case 'in':
      return `r.isIn(${code(args[0], scope)}, ${code(args[1], scope)})`;
    case 'call':
      return call(args[0], args[1], scope);
    case 'rcall':
      return method(args[0], args[1], args[2], scope);
    default:
      return fail(op);
  }
}

function call(name: string, args: readonly ASTNode[], scope: Scope): string {
  const [argument] = args;
  if (argument === undefined || args.length !== 1) return fail(name);
  if (name === 'size') return `r.size(${code(argument, scope)})`;
  if (name !== 'has' || argument.op !== '.') return fail(name);
  return `r.has(${code(argument.args[0], scope)}, ${field(argument.args[1])})`;
}

const MACROS: Readonly<Record<string, string>> = { all: 'all', exists_one: 'existsOne' };

function method(name: string, receiver: ASTNode, args: readonly ASTNode[], scope: Scope): string {
  const target = code(receiver, scope);
  const [first, second] = args;
  const macro = MACROS[name];
  if (macro !== undefined && first?.op === 'id' && second !== undefined && args.length === 2) {
    const variable = `v${scope.size}`;
    return `r.${macro}(${target}, (${variable}) => ${code(second, new Map([...scope, [first.args, variable]]))})`;
  }
  if (name === 'size' && args.length === 0) return `r.size(${target})`;
  const text = args.length === 1 && first?.op === 'value' ? first.args : undefined;
  if (typeof text === 'string' && name === 'matches') {
    return `r.matches(${target}, ${JSON.stringify(translatePattern(text))})`;
  }
  // Without a separator, CEL splits between code points.
  if (typeof text === 'string' && text !== '' && name === 'split')
    return `r.split(${target}, ${JSON.stringify(text)})`;
  return fail(name);
}

function literal(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  const isSafe = typeof value === 'bigint' && value <= Number.MAX_SAFE_INTEGER;
  return isSafe ? String(value) : fail('literal');
}

function index(node: ASTNode): string {
  return node.op === 'value' && typeof node.args === 'bigint' ? literal(node.args) : fail('index');
}

// Names that CEL cannot say are written in another way (cel-values.ts).
function field(name: string): string {
  return name.includes('__') ? fail(name) : JSON.stringify(name);
}

function fail(what: string): never {
  throw new Untranslatable(what);
}
