import type { Base64 } from './base64.ts';

/** Sound from the wire; what was no number is silence and counted. */
export interface DecodedPcm {
  readonly audio: Float32Array;
  readonly repairedSamples?: number | undefined;
}

/** The bits of a float's exponent; all of them are set in NaN and both infinities only. */
const exponent = 0x7f_80_00_00;

/** Float32 PCM as text; typed arrays are little-endian like the wire wherever Electron runs. */
export function encodePcm(samples: Float32Array, base64: Base64): string {
  return base64.encode(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
}

/** The sound that the bytes are, without a copy where they lie well; nothing for half a sample. */
export function decodePcm(bytes: Uint8Array): DecodedPcm | undefined {
  if (bytes.length % 4 !== 0) return undefined;
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const length = bytes.length / 4;
  const audio = new Float32Array(aligned.buffer, aligned.byteOffset, length);
  const bits = new Uint32Array(aligned.buffer, aligned.byteOffset, length);
  let repairedSamples = 0;
  for (let index = 0; index < bits.length; index += 1) {
    if (((bits[index] ?? 0) & exponent) === exponent) {
      bits[index] = 0;
      repairedSamples += 1;
    }
  }
  return repairedSamples === 0 ? { audio } : { audio, repairedSamples };
}
