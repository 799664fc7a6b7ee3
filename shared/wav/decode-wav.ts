import { decodeSamples } from './decode-samples.ts';
import { readWavHead } from './read-wav-head.ts';
import type { Wav, WavOutcome } from './wav.ts';

/** Reads a whole WAV file: integers of 8, 16, 24 and 32 bits, floats of 32 and 64. */
export function decodeWav(file: Uint8Array): WavOutcome<Wav> {
  const head = readWavHead(file);
  if (!head.ok) return head;
  const { form, dataStart, dataLength } = head.value;
  const samples = decodeSamples(file.subarray(dataStart, dataStart + dataLength), form);
  return { ok: true, value: { rate: form.rate, channels: form.channels, samples } };
}
