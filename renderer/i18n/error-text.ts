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

const units = ['B', 'KB', 'MB', 'GB'] as const;

export function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1000 && unit < units.length - 1) [size, unit] = [size / 1000, unit + 1];
  const digits = size < 10 && unit > 0 ? 1 : 0;
  return `${size.toFixed(digits)} ${units[unit] ?? ''}`;
}
