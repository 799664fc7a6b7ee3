import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { describeError } from '../../../../shared/describe-error.ts';
import { UsageError } from '../terminal-command.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Reads a command's options and words; what does not belong to it is wrong usage, in one sentence. */
export function readFlags<const Given extends Options>(
  args: readonly string[],
  options: Given,
  maxWords = 0,
) {
  const read = parse(args, options);
  const extra = read.positionals[maxWords];
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many.`);
  return { values: read.values, words: read.positionals };
}

function parse<const Given extends Options>(args: readonly string[], options: Given) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (error) {
    throw new UsageError(explain(error), { cause: error });
  }
}

function explain(error: unknown): string {
  const text = describeError(error);
  const option = /'(?:-\w, )?(-[\w-]*)/.exec(text)?.[1];
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (option === undefined) return text;
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `There is no option ${option}.`;
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return text;
  if (text.includes('does not take')) return `${option} takes no value.`;
  if (!text.includes('ambiguous')) return `${option} needs a value.`;
  return `${option} needs a value; one that begins with a dash is written ${option}=-….`;
}

/**
 * Options that stand alone or with a value, which the reading above knows nothing of: `--mic`,
 * `--mic=NAME`, `--mic NAME`. Only for commands that take no words, else the last would be unclear.
 */
export function takeOptionalValues(
  args: readonly string[],
  names: readonly string[],
): { readonly rest: readonly string[]; readonly taken: ReadonlyMap<string, string | true> } {
  const rest: string[] = [];
  const taken = new Map<string, string | true>();
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const name = names.find((known) => arg === known || arg.startsWith(`${known}=`));
    if (name === undefined) {
      rest.push(arg);
      continue;
    }
    const next = args[index + 1];
    if (arg !== name) taken.set(name, arg.slice(name.length + 1));
    else if (next === undefined || next.startsWith('-')) taken.set(name, true);
    else {
      taken.set(name, next);
      index += 1;
    }
    // An empty variable of a script must not become another device than the one that was meant.
    if (taken.get(name) === '')
      throw new UsageError(`${name}= needs a name; ${name} alone takes the system's.`);
  }
  return { rest, taken };
}
