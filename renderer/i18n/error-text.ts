import type { TFunction } from 'i18next';
import { type AppError, errorMessage, type ErrorTable } from '../../shared/errors/app-error.ts';

export function errorText(t: TFunction, error: AppError): string {
  return errorMessage(error, errorTable(t));
}

const tables = new WeakMap<TFunction, ErrorTable>();

function errorTable(t: TFunction): ErrorTable {
  const known = tables.get(t);
  if (known !== undefined) return known;
  // `errorMessage` fills in the facts, the same way in every host.
  const table: ErrorTable = t('errors', { returnObjects: true, skipInterpolation: true });
  tables.set(t, table);
  return table;
}

const firstSentence = /^.*?[.!?。！？](?=\s|$|\P{ASCII})/su;

/** The first sentence of an error, which says what happened. The later ones have advice, which is useless for the past. */
export function pastErrorText(t: TFunction, error: AppError): string {
  const { codes, ...texts } = errorTable(t);
  const text = firstSentence.exec(codes[error.code])?.[0] ?? codes[error.code];
  return errorMessage(error, { ...texts, codes: { ...codes, [error.code]: text } });
}
