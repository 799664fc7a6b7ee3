import { decodeSamples } from './decode-samples.ts';
import { readWavHeader } from './read-wav-header.ts';
import type { Wav, WavOutcome } from './wav.ts';

/** Reads a whole WAV file: integers of 8, 16, 24 and 32 bits, floats of 32 and 64. */
export function decodeWav(file: Uint8Array): WavOutcome<Wav> {
  const head = readWavHeader(file);
  if (!head.ok) return head;
  const { format, dataStart, dataLength } = head.value;
  const samples = decodeSamples(file.subarray(dataStart, dataStart + dataLength), format);
  return { ok: true, value: { rate: format.rate, channels: format.channels, samples } };
}
