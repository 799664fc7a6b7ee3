// The product's own test of speaker and microphone, which users start in the settings and with `parley doctor`.

import type { LoopbackResult } from '../../../shared/audio/sound-tests.ts';
import { type AppError, appError } from '../../../shared/errors/app-error.ts';
import { type Clock, delay } from '../../../shared/ports/clock.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { AudioSettings } from '../../../shared/settings/audio-settings.ts';
import type { AudioSink } from '../capture/microphone.ts';
import { energyOf, levelDb } from '../dsp/loudness.ts';
import { emptyHalfSpectrum, RealFft } from '../dsp/real-fft.ts';
import { cleanSamples, joinSamples } from '../dsp/samples.ts';
import type { TestDevices } from './sound-devices.ts';
import type { DeviceEvent } from './stream-supervisor.ts';

type Choice = Pick<AudioSettings, 'microphone' | 'speaker'>;

/** A sound system that was just resumed drops or delays the first sound, so the test waits this long. */
const warmUpMs = 1200;
/** The room's noise is measured during this last part of the warm-up. */
const quietMs = 600;
/** The chirp takes 0.5 s, a wireless speaker delays it by up to 0.5 s, and 1.5 s are a margin for slow drivers. */
const listenMs = 2500;

const unityGain = (): number => 1;

/**
 * Plays a chirp and looks for it in the microphone's sound. Measures the delay and level of the chirp, and the room's noise.
 */
export class LoopbackTest {
  readonly #devices: TestDevices;
  readonly #clock: Clock;
  readonly #choice: Choice;
  readonly #open: { readonly end: () => Promise<void> }[] = [];
  #lossError: AppError | undefined;
  #ended = false;

  constructor(
    devices: TestDevices,
    clock: Clock,
    choice: Choice = { microphone: 'default', speaker: 'default' },
  ) {
    this.#devices = devices;
    this.#clock = clock;
    this.#choice = choice;
  }

  async run(): Promise<LoopbackResult> {
    const clock = this.#clock;
    const recording = new TimedRecording(clock);
    const { microphone, speaker: device } = this.#choice;
    const options = { gain: unityGain, emit: this.#onDevice, unprocessed: true };
    await this.#register(this.#devices.openMicrophone(microphone, recording, options));
    const speaker = await this.#register(this.#devices.openSpeaker(device, this.#onDevice));
    try {
      if (this.#lossError !== undefined) return { heard: false, error: this.#lossError };
      await delay(clock, warmUpMs - quietMs);
      recording.begin();
      await delay(clock, quietMs);
      const noiseDb = Math.round(levelDb(recording.samples()));
      recording.begin();
      const played = clock.now();
      speaker.write(createChirp(outputRate));
      await delay(clock, listenMs);
      const found = findChirp(recording.samples(), inputRate);
      if (found === undefined)
        return { heard: false, error: this.#lossError ?? appError('testNothing') };
      const latencyMs = Math.round(recording.arrivalOf(found.sample) - played);
      return { heard: true, latencyMs, levelDb: Math.round(found.levelDb * 10) / 10, noiseDb };
    } finally {
      await this.end();
    }
  }

  /** Also called during a test, when another use takes the devices. */
  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#open.splice(0).map((device) => device.end()));
  }

  async #register<Device extends { end(): Promise<void> }>(
    opening: Promise<Device>,
  ): Promise<Device> {
    const device = await opening;
    if (this.#ended) await device.end();
    else this.#open.push(device);
    return device;
  }

  readonly #onDevice = (event: DeviceEvent): void => {
    if (event.kind === 'lost') this.#lossError ??= event.error;
  };
}

/** A microphone recording with the arrival time of each sample. */
class TimedRecording implements AudioSink {
  readonly #clock: Clock;
  #blocks: Float32Array[] = [];
  #length = 0;
  #begun = false;
  /** When the recording began, as estimated from the block that arrived with the least delay. */
  #startedAt = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(): void {
    this.#begun = true;
    this.#blocks = [];
    this.#length = 0;
    this.#startedAt = Infinity;
  }

  pushAudio(block: Float32Array): void {
    if (!this.#begun) return;
    this.#blocks.push(block);
    this.#length += block.length;
    const startedAt = this.#clock.now() - (this.#length * 1000) / inputRate;
    this.#startedAt = Math.min(this.#startedAt, startedAt);
  }

  samples(): Float32Array {
    return joinSamples(this.#blocks);
  }

  arrivalOf(sample: number): number {
    return this.#startedAt + (sample * 1000) / inputRate;
  }
}

export interface ChirpHeard {
  /** Start in the recording, in samples; may be fractional. */
  readonly sample: number;
  /** Level relative to what was played: 0 dB is equally loud. */
  readonly levelDb: number;
}

/** The chirp covers the range of small speakers and microphones, and lasts long enough to stand out from noise. */
const chirpSeconds = 0.5;
const lowestHz = 400;
const highestHz = 3400;
/** Quiet enough not to startle, loud enough for a room. */
const peakLevel = 0.25;

/** A rising sine sweep with soft ends; the same sound at every rate. */
export function createChirp(rate: number): Float32Array {
  return createSweep(rate, Math.sin);
}

/** Required peak over the median of the correlation; noise does not reach it by chance. */
const minPeakRatio = 7;
/** Required correlation of the sound with the chirp, where 1 is a perfect match; a click or a knock has less. */
const minSimilarity = 0.08;

/** Finds the chirp by the correlation's envelope, because devices can invert the sign or shift the phase. */
export function findChirp(recording: Float32Array, rate: number): ChirpHeard | undefined {
  const clean = recording.slice();
  cleanSamples(clean);
  const length = Math.round(chirpSeconds * rate);
  const lagCount = recording.length - length + 1;
  if (lagCount < 1) return undefined;
  const envelope = correlate(clean, rate, lagCount);
  const peakIndex = indexOfMax(envelope);
  const peakValue = envelope[peakIndex] ?? 0;
  const median = envelope.toSorted()[lagCount >> 1] ?? 0;
  if (peakValue === 0 || peakValue < minPeakRatio * median) return undefined;
  const energy = energyOf(createChirp(rate));
  const soundEnergy = energyOf(clean, peakIndex, peakIndex + length);
  if (peakValue < minSimilarity * Math.sqrt(energy * soundEnergy)) return undefined;
  const before = envelope[peakIndex - 1] ?? peakValue;
  const after = envelope[peakIndex + 1] ?? peakValue;
  // Parabolic interpolation gives the peak between samples.
  const curvature = before - 2 * peakValue + after;
  const offset = curvature === 0 ? 0 : (0.5 * (before - after)) / curvature;
  const interpolatedPeak = peakValue - 0.25 * (before - after) * offset;
  return { sample: peakIndex + offset, levelDb: 20 * Math.log10(interpolatedPeak / energy) };
}

/** A sine gives the chirp, a cosine its quadrature. */
function createSweep(rate: number, wave: (phase: number) => number): Float32Array {
  const samples = new Float32Array(Math.round(chirpSeconds * rate));
  for (let n = 0; n < samples.length; n += 1) {
    const progress = n / rate / chirpSeconds;
    const cycles = (n / rate) * (lowestHz + ((highestHz - lowestHz) / 2) * progress);
    samples[n] = peakLevel * Math.sin(Math.PI * progress) ** 2 * wave(2 * Math.PI * cycles);
  }
  return samples;
}

/** Envelope of the correlation at every possible start of the chirp. */
function correlate(recording: Float32Array, rate: number, lagCount: number): Float32Array {
  const size = 2 ** Math.ceil(Math.log2(recording.length + chirpSeconds * rate));
  const fft = new RealFft(size);
  const [spectrum, template] = [emptyHalfSpectrum(size), emptyHalfSpectrum(size)];
  const work = new Float32Array(size);
  work.set(recording);
  fft.forward(work, spectrum);
  const correlateWith = (chirp: Float32Array): Float32Array => {
    work.fill(0).set(chirp);
    fft.forward(work, template);
    for (let bin = 0; bin < template.re.length; bin += 1) {
      const [re, im] = [spectrum.re[bin] ?? 0, spectrum.im[bin] ?? 0];
      const [templateRe, templateIm] = [template.re[bin] ?? 0, template.im[bin] ?? 0];
      template.re[bin] = re * templateRe + im * templateIm;
      template.im[bin] = im * templateRe - re * templateIm;
    }
    fft.inverse(template, work);
    return work.slice(0, lagCount);
  };
  const quadrature = correlateWith(createSweep(rate, Math.cos));
  return correlateWith(createChirp(rate)).map((correlation, n) =>
    Math.hypot(correlation, quadrature[n] ?? 0),
  );
}

function indexOfMax(numbers: Float32Array): number {
  let best = 0;
  for (let n = 1; n < numbers.length; n += 1) {
    if ((numbers[n] ?? 0) > (numbers[best] ?? 0)) best = n;
  }
  return best;
}
