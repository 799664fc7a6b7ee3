import { maxSlicesPerFrame } from '../../shared/protocol/protocol-limits.ts';
import type { RequestProblem } from './gateway-model.ts';

/** A problem with a number of slices, if there is one. */
export function sliceProblem(slices: number | undefined): RequestProblem | undefined {
  if (slices === undefined) return undefined;
  if (Number.isInteger(slices) && slices >= 1 && slices <= maxSlicesPerFrame) return undefined;
  return {
    code: 'invalid_payload',
    message: `max_slice_nums must be from 1 to ${maxSlicesPerFrame}`,
  };
}
