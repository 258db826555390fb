import process from 'node:process';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { follows, NAMESPACE, type TextRule } from './option-values.ts';

const OFF = ['', '0', 'false', 'no', 'off'];
const ON = ['1', 'true', 'yes', 'on'];

/**
 * A flag, which can be given in the environment as well: `--some-flag` as `GARI_SOME_FLAG`; an empty
 * variable is as none, and so is `false` for a flag without a value.
 */
export function flag(flags: string, description: string): Option {
  const option = new Option(flags, description);
  const variable = `GARI_${option.name().toUpperCase().replaceAll('-', '_')}`;
  const value = process.env[variable];
  const isOff = value === '' || (isSwitch(option) && value !== undefined && OFF.includes(value));
  return isOff ? option : option.env(variable);
}

/** Refuses variables of flags without a value that say neither yes nor no: commander takes each for a yes. */
export function checkSwitches(command: Command): void {
  for (const option of command.options) {
    const value = option.envVar === undefined ? undefined : process.env[option.envVar];
    if (!isSwitch(option) || value === undefined || ON.includes(value)) continue;
    const message = `error: option '${option.flags}' value '${value}' from env '${option.envVar}' is invalid. It must be true or false.`;
    command.error(message, { exitCode: 2 });
  }
}

function isSwitch(option: Option): boolean {
  return !option.required && !option.optional;
}

/** A parser for a value that must follow a rule. */
export function checked(rule: TextRule): (value: string) => string {
  return (value) => {
    if (follows(value, rule)) return value;
    throw new InvalidArgumentError(`It must be ${rule.words}.`);
  };
}

/** A parser for values of a repeatable flag, which can also be separated by commas. */
export function checkedList(
  rule: TextRule,
): (value: string, previous: readonly string[]) => readonly string[] {
  const check = checked(rule);
  return (value, previous) => [...previous, ...value.split(',').map((each) => check(each.trim()))];
}

/** A parser for a path, which a script may have left empty. */
export function notEmpty(value: string): string {
  if (value !== '') return value;
  throw new InvalidArgumentError('It must not be empty.');
}

/** A parser for a Gateway. */
export function gatewayName(value: string): string {
  if (/^[^/]+\/[^/]+$/.test(value)) return value;
  throw new InvalidArgumentError('It must be <namespace>/<name>.');
}

/** A parser for a time. */
export function seconds(value: string): number {
  if (/^[1-9]\d*$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}

/** A parser for names of Namespaces, separated by commas. */
export function namespaceNames(value: string): readonly string[] {
  const names = [...new Set(value.split(',').map((name) => name.trim()))];
  if (names.every((name) => follows(name, NAMESPACE))) return names;
  throw new InvalidArgumentError('It must be names of namespaces, separated by commas.');
}

/** A parser for a Lease. */
export function leaseName(value: string): { namespace: string; name: string } {
  const [, namespace, name] = /^([-a-z0-9]+)\/([-.a-z0-9]+)$/.exec(value) ?? [];
  if (namespace !== undefined && name !== undefined) return { namespace, name };
  throw new InvalidArgumentError('It must be <namespace>/<name>.');
}

/** A parser for how many of something may be unavailable at a time. */
export function limit(value: string): number | string {
  if (/^[1-9]\d*$/.test(value)) return Number(value);
  if (/^([1-9]\d?|100)%$/.test(value)) return value;
  throw new InvalidArgumentError('It must be a whole number from 1 on, or a share such as 10%.');
}

/** A parser for a TCP port; 0 is none. */
export function port(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new InvalidArgumentError('It must be a port.');
}
