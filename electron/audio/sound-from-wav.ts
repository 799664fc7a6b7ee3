import { decodeSamples } from '../../shared/wav/decode-samples.ts';
import { readWavHead } from '../../shared/wav/read-wav-head.ts';
import type { Outcome } from '../ports/outcome.ts';
import { resampleSource } from './resample.ts';
import { toMono } from './to-mono.ts';

/** The rates that sound is really recorded at; a header with another one is a mistake. */
const slowest = 1000;
const fastest = 768_000;

/**
 * The sound of any WAV file, as one channel at the wanted rate. What it says of a file that is none
 * begins with "This": the caller knows the file's name.
 */
export function soundFromWav(
  file: Uint8Array,
  rate: number,
  mostSeconds: number,
): Outcome<Float32Array> {
  const head = readWavHead(file);
  if (!head.ok) return head;
  const { form, dataStart, dataLength } = head.value;
  if (form.rate < slowest || form.rate > fastest) {
    const problem = `This WAV file says that it has ${form.rate} samples a second, which cannot be.`;
    return { ok: false, problem, why: { is: 'wavRate', rate: form.rate } };
  }
  // Looked at before anything is decoded, so that a huge file costs nothing.
  const seconds = dataLength / (form.bytesPerSample * form.channels * form.rate);
  if (seconds > mostSeconds) {
    const lasts = Math.ceil(seconds);
    const problem = `This WAV file lasts ${lasts} s; it may last ${mostSeconds} s.`;
    return { ok: false, problem, why: { is: 'soundLong', seconds: lasts, most: mostSeconds } };
  }
  // Decoded in parts: a file of stereo at 48 kHz would be six times as large as what is made of it.
  const frame = form.bytesPerSample * form.channels;
  let room = new Float32Array();
  const source = {
    length: Math.floor(dataLength / frame),
    part: (from: number, to: number): Float32Array => {
      const bytes = file.subarray(dataStart + from * frame, dataStart + to * frame);
      const length = (to - from) * form.channels;
      if (room.length < length) room = new Float32Array(length);
      const samples = decodeSamples(bytes, form, room);
      return toMono(samples, form.channels, samples);
    },
  };
  return { ok: true, value: resampleSource(source, form.rate, rate) };
}
