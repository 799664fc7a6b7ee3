import { mostSlices } from '../../shared/protocol/limits.ts';
import type { Problem } from './room.ts';

/** A problem with a number of slices, if there is one. */
export function sliceProblem(slices: number | undefined): Problem | undefined {
  if (slices === undefined) return undefined;
  if (Number.isInteger(slices) && slices >= 1 && slices <= mostSlices) return undefined;
  return { code: 'invalid_payload', message: `max_slice_nums must be from 1 to ${mostSlices}` };
}
