import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { describeError } from '../../describe-error.ts';
import { UsageError } from './command.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values = ReturnType<typeof parseArgs>['values'];

/** Reads a command's flags; what does not belong to it is wrong usage, said in one sentence. */
export function readFlags(args: readonly string[], options: Options): Values {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new UsageError(describeError(error), { cause: error });
  }
}
