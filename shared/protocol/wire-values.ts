import { maxSlicesPerFrame } from './protocol-limits.ts';

/** A number fit for JSON, which has no word for what is not finite. */
export function finiteOrMissing(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

/** Slices as servers take them: whole, from 1 to 9. */
export function wireSlices(value: number | undefined): number | undefined {
  if (finiteOrMissing(value) === undefined || value === undefined) return undefined;
  return Math.min(maxSlicesPerFrame, Math.max(1, Math.round(value)));
}

/** The fields that have a value, or nothing at all where none has. */
export function unlessEmpty(fields: object): object | undefined {
  return Object.values(fields).some((value) => value !== undefined) ? fields : undefined;
}
