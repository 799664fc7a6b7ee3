import { createKernel } from './sinc-kernel.ts';

/**
 * The same sound at another rate, whole buffers only: a polyphase filter with a windowed sinc.
 * Before its beginning and after its end the sound is taken to stay as it is there, so that
 * nothing fades at the edges.
 */
export function resample(samples: Float32Array, from: number, to: number): Float32Array {
  if (from === to || samples.length === 0) return samples.slice();
  const common = greatestCommonDivisor(from, to);
  const up = to / common;
  const down = from / common;
  const kernel = createKernel(Math.min(1, to / from));
  const rows = new Map<number, Float32Array>();
  const padded = holdEdges(samples, kernel.reach);
  const result = new Float32Array(Math.ceil((samples.length * up) / down));
  for (let index = 0, whole = 0, phase = 0; index < result.length; index += 1) {
    let row = rows.get(phase);
    if (row === undefined) rows.set(phase, (row = kernel.row(phase / up)));
    result[index] = product(padded, whole, row);
    phase += down;
    const steps = Math.floor(phase / up);
    whole += steps;
    phase -= steps * up;
  }
  return result;
}

function product(samples: Float32Array, from: number, row: Float32Array): number {
  let sum = 0;
  for (let tap = 0; tap < row.length; tap += 1) sum += (samples[from + tap] ?? 0) * (row[tap] ?? 0);
  return sum;
}

function holdEdges(samples: Float32Array, reach: number): Float32Array {
  const padded = new Float32Array(samples.length + 2 * reach);
  padded.fill(samples[0] ?? 0, 0, reach);
  padded.set(samples, reach);
  padded.fill(samples.at(-1) ?? 0, reach + samples.length);
  return padded;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
