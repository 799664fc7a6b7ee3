import { createKernel } from './sinc-kernel.ts';

/** Sound that need not be there as a whole: any part of it can be had, one part at a time. */
export interface SoundSource {
  readonly length: number;
  /** Samples from one place up to another, both within the sound; good until the next call. */
  readonly part: (from: number, to: number) => Float32Array;
}

/** So many samples are made at a time, so that no more of the source is needed at once. */
const blockLength = 8192;

/**
 * The same sound at another rate, whole buffers only: a polyphase filter with a windowed sinc.
 * Before its beginning and after its end the sound is taken to stay as it is there, so that
 * nothing fades at the edges.
 */
export function resample(samples: Float32Array, from: number, to: number): Float32Array {
  const part: SoundSource['part'] = (start, end) => samples.subarray(start, end);
  return resampleSource({ length: samples.length, part }, from, to);
}

/** The same for sound that comes in parts: of a long file only a little is held at once. */
export function resampleSource(source: SoundSource, from: number, to: number): Float32Array {
  if (source.length === 0) return new Float32Array();
  const common = greatestCommonDivisor(from, to);
  const [up, down] = [to / common, from / common];
  const result = new Float32Array(Math.ceil((source.length * up) / down));
  if (from === to) {
    copyInto(result, source);
    return result;
  }
  const kernel = createKernel(Math.min(1, to / from));
  const rows = new Map<number, Float32Array>();
  // One for all blocks, because what each left behind would be collected much later.
  const held = new Float32Array(Math.ceil((blockLength * down) / up) + 2 * kernel.reach + 1);
  for (let start = 0; start < result.length; start += blockLength) {
    const block = result.subarray(start, start + blockLength);
    const first = Math.floor((start * down) / up);
    const last = Math.floor(((start + block.length - 1) * down) / up);
    const window = held.subarray(0, last - first + 2 * kernel.reach);
    holdEdges(window, source, first - kernel.reach);
    let [whole, phase] = [0, (start * down) % up];
    for (let index = 0; index < block.length; index += 1) {
      let row = rows.get(phase);
      if (row === undefined) rows.set(phase, (row = kernel.row(phase / up)));
      block[index] = product(window, whole, row);
      phase += down;
      const steps = Math.floor(phase / up);
      whole += steps;
      phase -= steps * up;
    }
  }
  return result;
}

function copyInto(result: Float32Array, { length, part }: SoundSource): void {
  for (let start = 0; start < length; start += blockLength) {
    result.set(part(start, Math.min(start + blockLength, length)), start);
  }
}

function product(samples: Float32Array, from: number, row: Float32Array): number {
  let sum = 0;
  for (let tap = 0; tap < row.length; tap += 1) sum += (samples[from + tap] ?? 0) * (row[tap] ?? 0);
  return sum;
}

/** Fills a window that may reach beyond the sound's ends. */
function holdEdges(window: Float32Array, { length, part }: SoundSource, from: number): void {
  const there = part(Math.max(0, from), Math.min(length, from + window.length));
  const before = Math.max(0, -from);
  window.fill(there[0] ?? 0, 0, before);
  window.set(there, before);
  window.fill(there.at(-1) ?? 0, before + there.length);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
