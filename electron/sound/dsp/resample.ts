import { SincResampler } from './sinc-resampler.ts';

/** Sound that need not be there as a whole: any part of it can be had, one part at a time. */
export interface SoundSource {
  readonly length: number;
  /** Samples from one place up to another, both within the sound; good until the next call. */
  readonly part: (from: number, to: number) => Float32Array;
}

/** So many samples are asked for at a time, so that no more of the source is needed at once. */
const blockLength = 8192;

/**
 * A whole sound at another rate. Before its beginning and after its end it is taken to stay as it is
 * there, so that nothing fades at the edges.
 */
export function resample(samples: Float32Array, from: number, to: number): Float32Array {
  const part: SoundSource['part'] = (start, end) => samples.subarray(start, end);
  return resampleSource({ length: samples.length, part }, from, to);
}

/** The same for sound that comes in parts: of a long file only a little is held at once. */
export function resampleSource(source: SoundSource, from: number, to: number): Float32Array {
  const { length, part } = source;
  const result = new Float32Array(Math.ceil((length * to) / from));
  if (length === 0) return result;
  const blocks = function* (): Generator<Float32Array, void, undefined> {
    for (let start = 0; start < length; start += blockLength) {
      yield part(start, Math.min(start + blockLength, length));
    }
  };
  let written = 0;
  if (from === to) {
    for (const block of blocks()) {
      result.set(block, written);
      written += block.length;
    }
    return result;
  }
  const resampler = new SincResampler(from, to);
  resampler.restart(part(0, 1)[0]);
  for (const block of blocks()) written += resampler.convertInto(block, result.subarray(written));
  const after = new Float32Array(resampler.reach).fill(part(length - 1, length)[0] ?? 0);
  result.set(resampler.convert(after).subarray(0, result.length - written), written);
  return result;
}
