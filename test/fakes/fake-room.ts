import type { TestDevices } from '../../electron/audio/devices/sound-devices.ts';
import { resample } from '../../electron/audio/dsp/sinc-resampler.ts';
import { echoBlockSamples } from '../../electron/audio/echo/echo-canceller.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { echoRoom } from './echo-room.ts';
import type { FakeClock } from './fake-clock.ts';
import { seeded } from './seeded.ts';

interface FakeRoomOptions {
  /** The gain of the echo, which arrives 60 ms after the sound. */
  readonly echo?: number;
  readonly muted?: boolean;
  /** The error if there is no microphone. */
  readonly lost?: AppError | undefined;
}

const phrase = echoRoom({ seed: 1, seconds: 3 }).played;
const lateSamples = (60 * inputRate) / 1000;
const stepMs = (1000 * echoBlockSamples) / inputRate;

/** A room with a loudspeaker and a microphone for the room test. `passStep` advances it by 10 ms. */
export class FakeRoom {
  readonly #clock: FakeClock;
  readonly #options: FakeRoomOptions;
  readonly #random = seeded(3);
  #air: Float32Array = new Float32Array();
  #airFrom = 0;
  #microphone: Parameters<TestDevices['openMicrophone']>[2] | undefined;
  /** How often the phrase was played. */
  played = 0;
  /** How many devices were closed. */
  ended = 0;
  /** Whether a person speaks, 6 dB louder than the phrase. */
  speaks = false;

  constructor(clock: FakeClock, options: FakeRoomOptions = {}) {
    this.#clock = clock;
    this.#options = options;
  }

  get parts() {
    const openMicrophone: TestDevices['openMicrophone'] = (_device, _sink, options) => {
      this.#microphone = options;
      const { lost } = this.#options;
      if (lost !== undefined) options.emit({ kind: 'lost', error: lost });
      return Promise.resolve({ end: this.#end });
    };
    const openSpeaker: TestDevices['openSpeaker'] = () =>
      Promise.resolve({ end: this.#end, setVolume: () => undefined, write: this.#play });
    const roomPhrase = () =>
      Promise.resolve({ ok: true as const, value: resample(phrase, inputRate, outputRate) });
    return { openMicrophone, openSpeaker, roomPhrase };
  }

  lose(error: AppError): void {
    this.#microphone?.emit({ kind: 'lost', error });
  }

  passStep(): void {
    const { echo = 0.3, muted = false } = this.#options;
    const from = (this.#clock.now() * inputRate) / 1000;
    const now = Float32Array.from({ length: echoBlockSamples }, (_, n) => this.#heardAt(from + n));
    const heard = now.map((_, n) => {
      const voice = this.speaks ? 2 * this.#heardAt(from + n - inputRate) : 0;
      const noise = 0.002 * (this.#random() - 0.5);
      return echo * this.#heardAt(from + n - lateSamples) + voice + noise;
    });
    this.#microphone?.recorder?.process(muted ? heard.fill(0) : heard, now);
    this.#clock.advance(stepMs);
  }

  #heardAt(n: number): number {
    return this.#air[n - this.#airFrom] ?? 0;
  }

  readonly #play = (): void => {
    this.played += 1;
    this.#air = phrase;
    this.#airFrom = (this.#clock.now() * inputRate) / 1000;
  };

  readonly #end = (): Promise<void> => Promise.resolve(void (this.ended += 1));
}
