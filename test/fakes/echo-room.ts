import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { emptyHalfSpectrum, RealFft } from '../../electron/audio/dsp/real-fft.ts';
import { resample } from '../../electron/audio/dsp/sinc-resampler.ts';
import { soundFromWav } from '../../electron/audio/dsp/sound-from-wav.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { gaussian } from './spoken-scene.ts';
import { seeded } from './seeded.ts';
import { AdaptiveCanceller } from '../../electron/audio/echo/adaptive-canceller.ts';
import { echoBlockSamples } from '../../electron/audio/echo/echo-canceller.ts';

/** A room with a loudspeaker, a microphone and perhaps a person. Levels are in dBFS, of the parts with sound. */
export interface EchoRoomOptions {
  readonly seed: number;
  readonly seconds?: number;
  readonly echoDb?: number;
  readonly voiceDb?: number;
  readonly noiseDb?: number;
  readonly delayMs?: number;
  readonly reverbSeconds?: number;
  /** How hard the loudspeaker is driven: 3 distorts audibly. */
  readonly drive?: number;
  /** Changes of the echo's delay, in order. */
  readonly jumps?: readonly EchoJump[];
  /** When the person speaks, in seconds. */
  readonly speaks?: readonly (readonly [from: number, to: number])[];
  /** When the loudspeaker is silent, in seconds. */
  readonly pauses?: readonly (readonly [from: number, to: number])[];
}

interface EchoJump {
  /** In seconds. */
  readonly at: number;
  /** How much longer than at the start the delay is from then on. */
  readonly ms: number;
}

/** The signals, sample by sample at the microphone's rate. */
export interface EchoRoom {
  readonly played: Float32Array;
  readonly echo: Float32Array;
  readonly voice: Float32Array;
  readonly microphone: Float32Array;
}

/** Synthesises the signals of a room from recorded sentences. */
export function echoRoom(options: EchoRoomOptions): EchoRoom {
  const { seed, seconds = 12, echoDb = -26, voiceDb = -26, noiseDb = -60 } = options;
  const {
    delayMs = 60,
    reverbSeconds = 0.25,
    drive = 1,
    jumps = [],
    speaks = [],
    pauses = [],
  } = options;
  const random = seeded(seed);
  const played = atLevel(spoken(['hello', 'connect', 'loudness', 'turns'], seconds, 1), -20);
  for (const [from, to] of pauses) played.fill(0, from * inputRate, to * inputRate);
  const driven = played.map((sample) => Math.tanh(sample * drive) / drive);
  const heard = convolved(driven, impulse(random, delayMs, reverbSeconds));
  const echo = atLevel(withJumps(heard, jumps), echoDb);
  // The same voice at another pitch sounds like another person.
  const talk = atLevel(spoken(['interrupt', 'hear', 'see', 'only'], seconds, 0.8), voiceDb);
  const voice = new Float32Array(talk.length);
  for (const [from, to] of speaks) {
    const start = Math.round(from * inputRate);
    voice.set(talk.subarray(start, to * inputRate), start);
  }
  const noise = 10 ** (noiseDb / 20);
  const microphone = echo.map((sample, n) => sample + (voice[n] ?? 0) + noise * gaussian(random));
  return { played, echo, voice, microphone };
}

export function powerDb(samples: Float32Array, from: number, to: number): number {
  const part = samples.subarray(Math.round(from * inputRate), Math.round(to * inputRate));
  return 10 * Math.log10(part.reduce((sum, sample) => sum + sample ** 2, 1e-12) / part.length);
}

function spoken(phrases: readonly string[], seconds: number, pitch: number): Float32Array {
  const samples = new Float32Array(Math.round(seconds * inputRate));
  for (let at = 0, turn = 0; at < samples.length; turn += 1) {
    const name = phrases[turn % phrases.length] ?? '';
    const file = fileURLToPath(new URL(`../../resources/speech/${name}.wav`, import.meta.url));
    const sound = soundFromWav(readFileSync(file), inputRate, 60);
    if (!sound.ok) throw new Error(`${name} is not a sound file`);
    const phrase = resample(sound.value, Math.round(inputRate * pitch), inputRate);
    samples.set(phrase.subarray(0, samples.length - at), at);
    at += phrase.length + inputRate / 4;
  }
  return samples;
}

/** Scales a signal so that its parts with sound have a level in dBFS; silence between words does not count. */
function atLevel(samples: Float32Array, targetDb: number): Float32Array {
  const levels: number[] = [];
  for (let n = 0; n + 320 <= samples.length; n += 320)
    levels.push(samples.subarray(n, n + 320).reduce((sum, sample) => sum + sample ** 2, 0) / 320);
  const loudest = levels.reduce((peak, level) => Math.max(peak, level), 0);
  const active = levels.filter((level) => level > loudest / 1000);
  const power = active.reduce((sum, level) => sum + level, 0) / Math.max(1, active.length);
  const gain = power === 0 ? 0 : 10 ** (targetDb / 20) / Math.sqrt(power);
  return samples.map((sample) => sample * gain);
}

/** The impulse response: the direct path, and decaying reflections. */
function impulse(random: () => number, delayMs: number, reverbSeconds: number): Float32Array {
  const start = Math.round((delayMs * inputRate) / 1000);
  const response = new Float32Array(start + Math.round(reverbSeconds * 0.8 * inputRate));
  response[start] = 1;
  for (let n = start + 8; n < response.length; n += 1) {
    const seconds = (n - start) / inputRate;
    response[n] = 0.1 * gaussian(random) * Math.exp((-6.9 * seconds) / reverbSeconds);
  }
  let previous = 0;
  return response.map((sample) => (previous = 0.6 * sample + 0.4 * previous));
}

/**
 * Jumps to a delay −10 to 50 ms longer than at the start, at random times, about every `seconds`, as when a sound device
 * stalls and continues.
 */
export function randomJumps(seconds: number, until: number, seed: number): readonly EchoJump[] {
  const random = seeded(seed);
  const jumps: EchoJump[] = [];
  for (let at = seconds; at < until; at += seconds * (0.5 + random()))
    jumps.push({ at, ms: 60 * random() - 10 });
  return jumps;
}

function withJumps(sound: Float32Array, jumps: readonly EchoJump[]): Float32Array {
  const samples = sound.slice();
  for (const { at, ms } of jumps) {
    const delay = Math.round((ms * inputRate) / 1000);
    const from = Math.round(at * inputRate);
    for (let n = from; n < samples.length; n += 1) samples[n] = sound[n - delay] ?? 0;
  }
  return samples;
}

export function convolved(sound: Float32Array, response: Float32Array): Float32Array {
  const size = 16_384;
  const fft = new RealFft(size);
  const [part, transfer] = [emptyHalfSpectrum(size), emptyHalfSpectrum(size)];
  const step = size - response.length;
  const work = new Float32Array(size);
  work.set(response);
  fft.forward(work, transfer);
  const samples = new Float32Array(sound.length + size);
  for (let from = 0; from < sound.length; from += step) {
    work.fill(0).set(sound.subarray(from, from + step));
    fft.forward(work, part);
    for (let bin = 0; bin <= size / 2; bin += 1) {
      const re = part.re[bin] ?? 0;
      const im = part.im[bin] ?? 0;
      part.re[bin] = re * (transfer.re[bin] ?? 0) - im * (transfer.im[bin] ?? 0);
      part.im[bin] = re * (transfer.im[bin] ?? 0) + im * (transfer.re[bin] ?? 0);
    }
    fft.inverse(part, work);
    work.forEach((sample, n) => (samples[from + n] = (samples[from + n] ?? 0) + sample));
  }
  return samples.subarray(0, sound.length);
}

/** The canceller's output for a room, aligned with the room's samples. */
export function cancelEcho(
  { microphone, played }: Pick<EchoRoom, 'microphone' | 'played'>,
  canceller = new AdaptiveCanceller(),
): Float32Array {
  const { leadMs } = canceller;
  const heard = new Float32Array(microphone.length);
  for (let n = 0; n + echoBlockSamples <= heard.length; n += echoBlockSamples) {
    const end = n + echoBlockSamples;
    // The canceller shifts its reference for a late echo.
    const shift = Math.round(((canceller.leadMs - leadMs) * inputRate) / 1000);
    const farEnd = Float32Array.from({ length: end - n }, (_, k) => played[n + shift + k] ?? 0);
    const delayed = canceller.process(microphone.slice(n, end), farEnd);
    // The output is one block late.
    if (n > 0) heard.set(delayed, n - echoBlockSamples);
  }
  return heard;
}

export function echoReductionDb(
  room: EchoRoom,
  heard: Float32Array,
  from: number,
  to: number,
): number {
  return powerDb(room.microphone, from, to) - powerDb(heard, from, to);
}

/** In dB: the gain of the voice in the output, and the ratio of the voice to the difference between the output and it. */
export function measureVoice(room: EchoRoom, heard: Float32Array, from: number, to: number) {
  let product = 0;
  let voicePower = 0;
  let otherPower = 0;
  for (let n = from * inputRate; n < to * inputRate; n += 1) {
    const voice = room.voice[n] ?? 0;
    product += voice * (heard[n] ?? 0);
    voicePower += voice ** 2;
    otherPower += ((heard[n] ?? 0) - voice) ** 2;
  }
  return {
    gainDb: 20 * Math.log10(product / voicePower),
    snrDb: 10 * Math.log10(voicePower / otherPower),
  };
}
