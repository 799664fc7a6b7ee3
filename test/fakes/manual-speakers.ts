import type {
  DeviceChoice,
  PlayedChunk,
  SpeakerStream,
  SpeakerStreamStats,
} from '../../electron/audio/devices/sound-driver.ts';
import type { DeviceEvent } from '../../electron/audio/devices/stream-supervisor.ts';
import { Speaker, type SpeakerOptions } from '../../electron/audio/playback/speaker.ts';
import type { Outcome } from '../../shared/errors/app-error.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import { fakeBuiltIn } from './fake-sound-driver.ts';

/** A stream that plays only the samples that the test asks for. */
export class ManualSpeakerStream implements SpeakerStream {
  readonly device = fakeBuiltIn;
  readonly rate = outputRate;
  readonly choice: DeviceChoice;
  volume = 1;
  ended = false;
  written = 0;
  #played = 0;
  #heard = 0;

  constructor(choice: DeviceChoice) {
    this.choice = choice;
  }

  /** Plays samples; `heard` of them have reached the ear. */
  plays(played: number, heard = played): void {
    this.#played = Math.min(this.written, this.#played + played);
    this.#heard = Math.min(this.#played, this.#heard + heard);
  }

  playAll(): void {
    this.plays(this.written);
  }

  get queued(): number {
    return this.written - this.#played;
  }

  readonly write = (samples: Float32Array): number => {
    this.written += samples.length;
    return samples.length;
  };

  readonly flush = (): { readonly played: number; readonly dropped: number } => {
    const dropped = this.queued;
    this.written = this.#played;
    this.#heard = this.#played;
    return { played: this.#played, dropped };
  };

  readonly setVolume = (volume: number): void => {
    this.volume = volume;
  };

  readonly takePlayed = (): PlayedChunk => ({ count: 0, position: 0, heardAt: 0 });

  readonly stats = (): SpeakerStreamStats => ({
    alive: true,
    played: this.#played,
    heard: this.#heard,
    queued: this.queued,
    underruns: 0,
    repaired: 0,
    latencyMs: 0,
  });

  readonly close = (): Promise<void> => {
    this.ended = true;
    return Promise.resolve();
  };
}

/** Real speakers over manual streams; `streams` has every opened one, oldest first. */
export class ManualSpeakers {
  readonly streams: ManualSpeakerStream[] = [];
  readonly chosen: DeviceChoice[] = [];
  readonly eventListeners: ((event: DeviceEvent) => void)[] = [];
  ready: Promise<void> = Promise.resolve();
  readonly systemMovesStreams = true;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly devices = (): Promise<Outcome<readonly (typeof fakeBuiltIn)[]>> =>
    Promise.resolve({ ok: true, value: [fakeBuiltIn] });

  readonly createSpeaker = (options: SpeakerOptions): Speaker => {
    this.eventListeners.push(options.emit);
    return new Speaker(options, { driver: this, clock: this.#clock });
  };

  readonly openSpeaker = async (choice: DeviceChoice): Promise<Outcome<SpeakerStream>> => {
    this.chosen.push(choice);
    await this.ready;
    const stream = new ManualSpeakerStream(choice);
    this.streams.push(stream);
    return { ok: true, value: stream };
  };
}
