import { decodeSamples, readWavHeader } from '../../../shared/audio/wav.ts';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { resampleSource } from './sinc-resampler.ts';

/** Plausible recording rates; any other rate in a header is an error. */
const minRate = 1000;
const maxRate = 768_000;

/**
 * Decodes a WAV file to mono at `rate`. In English the errors' sentences begin with "This", because terminal commands put the
 * file's path in front: `voice.wav: This WAV file lasts 90 s. …`
 */
export function soundFromWav(
  file: Uint8Array,
  rate: number,
  maxSeconds: number,
): Outcome<Float32Array> {
  const head = readWavHeader(file);
  if (!head.ok) return head;
  const { format, dataStart, dataLength } = head.value;
  if (format.rate < minRate || format.rate > maxRate) {
    return failure('wavRate', { rate: format.rate });
  }
  // Checked before decoding, so that a huge file takes no memory.
  const seconds = dataLength / (format.bytesPerSample * format.channels * format.rate);
  if (seconds > maxSeconds) {
    const wholeSeconds = Math.ceil(seconds);
    return failure('soundLong', { seconds: wholeSeconds, most: maxSeconds });
  }
  // Decodes in parts, because a decoded stereo file at 48 kHz would be six times as large as the result.
  const frameBytes = format.bytesPerSample * format.channels;
  let buffer = new Float32Array();
  const source = {
    length: Math.floor(dataLength / frameBytes),
    part: (from: number, to: number): Float32Array => {
      const bytes = file.subarray(dataStart + from * frameBytes, dataStart + to * frameBytes);
      const length = (to - from) * format.channels;
      if (buffer.length < length) buffer = new Float32Array(length);
      const samples = decodeSamples(bytes, format, buffer);
      return toMono(samples, format.channels, samples);
    },
  };
  return { ok: true, value: resampleSource(source, format.rate, rate) };
}

/**
 * The mean of the channels of interleaved sound.
 *
 * @param buffer receives the mean; it may be the sound itself, which is read before it is overwritten
 */
export function toMono(
  samples: Float32Array,
  channels: number,
  buffer: Float32Array = new Float32Array(Math.floor(samples.length / channels)),
): Float32Array {
  if (channels <= 1) return samples;
  const mono = buffer.subarray(0, Math.floor(samples.length / channels));
  for (let frame = 0, from = 0; frame < mono.length; frame += 1) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1, from += 1) sum += samples[from] ?? 0;
    mono[frame] = sum / channels;
  }
  return mono;
}
