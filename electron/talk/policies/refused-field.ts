import {
  appError,
  type AppError,
  rootError,
  wireReason,
} from '../../../shared/errors/app-error.ts';
import { encodeGeneration, type GenerationOptions } from '../../../shared/protocol/realtime-api.ts';
import type { JudgedEnding } from './reconnect-policy.ts';

/**
 * Finds the `config` field that ended the session, by searching the server's free text for the
 * names that were sent.
 */
export function refusedField(
  { error, by }: JudgedEnding,
  generation: GenerationOptions | undefined,
): { readonly error: AppError } | undefined {
  const { detail = '' } = rootError(error);
  if (by !== 'server' || detail === '' || generation === undefined) return undefined;
  const named = Object.keys(encodeGeneration(generation))
    .map((field) => ({ field, at: findFieldName(field, detail) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at);
  const [first] = named;
  if (first === undefined) return undefined;
  const { field } = first;
  return { error: appError('fieldRefused', { field, reason: wireReason(error) }, { detail }) };
}

/** A field name that is also a word counts only if the text marks it as a name. */
function findFieldName(field: string, message: string): number {
  const name = field.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  const alone = String.raw`(?<![\p{Script=Latin}\p{N}_])${name}(?![\p{Script=Latin}\p{N}_])`;
  const shown = String.raw`["'\x60“‘«「]${name}["'\x60”’»」]|\.${name}(?![\p{Script=Latin}\p{N}_])|${alone}\s*[=:]`;
  const named = String.raw`\b(?:arguments?|fields?|keys?|options?|parameters?|settings?)\s+${alone}`;
  const isName = /[_\d]|.[A-Z]/u.test(field);
  return message.search(new RegExp(isName ? alone : `${shown}|${named}`, 'u'));
}
