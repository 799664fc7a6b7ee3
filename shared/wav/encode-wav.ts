import type { WavEncoding } from './encode-wav-header.ts';
import { encodeWavHeader } from './encode-wav-header.ts';

/** A whole WAV file; several channels take turns in `samples`. */
export function encodeWav(samples: Float32Array, plan: WavEncoding): Uint8Array {
  const header = encodeWavHeader(plan, samples.length);
  const data = encodeSamples(samples, plan.coding);
  const file = new Uint8Array(header.length + data.length);
  file.set(header, 0);
  file.set(data, header.length);
  return file;
}

/**
 * Samples as they follow a header, for files written piece by piece. Float samples are not copied.
 * Typed arrays are little-endian like WAV on every machine that Electron runs on.
 */
export function encodeSamples(samples: Float32Array, coding: WavEncoding['coding']): Uint8Array {
  if (coding === 'float32') {
    return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  }
  const pcm = new Int16Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) {
    // Rounded and compared by hand: `Math.round`, `min` and `max` take nearly twice as long.
    const scaled = Math.floor((samples[index] ?? 0) * 32_768 + 0.5);
    // Storing makes NaN a zero, but would wrap what is too loud.
    if (scaled > 32_767) pcm[index] = 32_767;
    else pcm[index] = scaled < -32_768 ? -32_768 : scaled;
  }
  return new Uint8Array(pcm.buffer);
}
