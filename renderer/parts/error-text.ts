import type { TFunction } from 'i18next';
import type { AppError } from '../../shared/errors/app-error.ts';
import { errorMessage } from '../../shared/errors/error-message.ts';
import type { ErrorTable } from '../../shared/errors/error-message.ts';

/** What went wrong, in the page's language. */
export function errorText(t: TFunction, error: AppError): string {
  return errorMessage(error, tableOf(t));
}

/** A page has one for each language it was shown in. */
const tables = new WeakMap<TFunction, ErrorTable>();

function tableOf(t: TFunction): ErrorTable {
  const known = tables.get(t);
  if (known !== undefined) return known;
  // The facts are put in by `errorMessage`, for every host in the same way.
  const table: ErrorTable = t('errors', { returnObjects: true, skipInterpolation: true });
  tables.set(t, table);
  return table;
}
