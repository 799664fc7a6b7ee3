import type { LoopbackResult } from '../../../shared/audio/sound-tests.ts';
import { type AppError, appError } from '../../../shared/errors/app-error.ts';
import { type Clock, delay } from '../../../shared/ports/clock.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { AudioSettings } from '../../../shared/settings/audio-settings.ts';
import type { AudioSink } from '../capture/capture-pipeline.ts';
import { createChirp, findChirp } from '../dsp/chirp.ts';
import { levelDb } from '../dsp/loudness.ts';
import { joinSamples } from '../dsp/samples.ts';
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

/** Plays a chirp on the speaker and listens for it on the microphone. */
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
  /** When the recording began, by the block that arrived with the smallest delay. */
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
