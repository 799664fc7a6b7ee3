import { appError } from '../../../shared/errors/app-error.ts';
import type { AppError } from '../../../shared/errors/app-error.ts';
import { reasonOf, rootError } from '../../../shared/errors/session-reasons.ts';
import type { GenerationOptions } from '../../../shared/protocol/client-event.ts';
import { encodeGeneration } from '../../../shared/protocol/unified/generation-fields.ts';
import type { JudgedEnding } from './ending-verdict.ts';

/**
 * A server ended the session and named a field that it was sent in `config`: that one is to blame. No document says how
 * it would be named, so all that a server says is looked through, for the names of those that it got.
 */
export function refusedField(
  { error, by }: JudgedEnding,
  generation: GenerationOptions | undefined,
): { readonly error: AppError } | undefined {
  const { detail = '' } = rootError(error);
  if (by !== 'server' || detail === '' || generation === undefined) return undefined;
  const named = Object.keys(encodeGeneration(generation))
    .map((field) => ({ field, at: placeOf(field, detail) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at);
  const [first] = named;
  if (first === undefined) return undefined;
  const { field } = first;
  return { error: appError('fieldRefused', { field, reason: reasonOf(error) }, { detail }) };
}

/** A name that could be a word of the sentence counts only where it is shown as a name. */
function placeOf(field: string, said: string): number {
  const name = field.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  const alone = String.raw`(?<![\p{Script=Latin}\p{N}_])${name}(?![\p{Script=Latin}\p{N}_])`;
  const shown = String.raw`["'\x60“‘«「]${name}["'\x60”’»」]|\.${name}(?![\p{Script=Latin}\p{N}_])|${alone}\s*[=:]`;
  const told = String.raw`\b(?:arguments?|fields?|keys?|options?|parameters?|settings?)\s+${alone}`;
  const isName = /[_\d]|.[A-Z]/u.test(field);
  return said.search(new RegExp(isName ? alone : `${shown}|${told}`, 'u'));
}
