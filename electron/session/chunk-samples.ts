import { inputRate, minAppendSamples } from '../../shared/protocol/protocol-limits.ts';

/** Longer chunks are no conversation; the bound also keeps a wrong number from taking all memory. */
const maxChunkSamples = 10 * inputRate;

/** The samples of an append of so many milliseconds, kept to what an append may be. */
export function chunkSamples(chunkMs: number): number {
  const length = Math.round((chunkMs * inputRate) / 1000);
  if (Number.isNaN(length)) return inputRate;
  return Math.min(maxChunkSamples, Math.max(minAppendSamples, length));
}
