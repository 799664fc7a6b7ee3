import {
  appError,
  type AppError,
  errorMessage,
  type ErrorTable,
  failure,
} from '../../shared/errors/app-error.ts';
import { englishErrors } from '../../shared/i18n/en/errors.ts';

/** An error must have every fact that its sentence uses. */
export function errors(): readonly AppError[] {
  failure('noTalk').error satisfies AppError;
  failure('noTalk', {}, { detail: 'x', cause: appError('diskFull', { path: '/a' }) });

  // @ts-expect-error a missing fact
  appError('diskFull');
  // @ts-expect-error one of several facts is missing
  appError('tooMuch', { tokens: 3 });
  // @ts-expect-error a fact of another type
  appError('clipLong', { most: 'three' });
  // @ts-expect-error a fact that the sentence does not use
  appError('noTalk', { path: '/a' });
  // @ts-expect-error an unknown code
  failure('nothingAtAll');
  // @ts-expect-error a sentence instead of an error
  ({ ok: false, error: 'It did not work.' }) satisfies ReturnType<typeof failure>;
  // @ts-expect-error a code without its facts, written by hand
  ({ code: 'diskFull', facts: {} }) satisfies AppError;

  const error = appError('clipLong', { most: 3 });
  if (error.code === 'clipLong') error.facts.most satisfies number;
  errorMessage(error, englishErrors) satisfies string;
  const { noTalk: _left, ...others } = englishErrors.codes;
  // @ts-expect-error a language that lacks a sentence
  ({ ...englishErrors, codes: others }) satisfies ErrorTable;
  return [error];
}
