import {
  type AudioSink,
  CapturePipeline,
  type Microphone,
  type MicrophoneOptions,
} from '../../electron/audio/capture/microphone.ts';
import type { SoundOpeners } from '../../electron/audio/devices/sound-devices.ts';
import type {
  DeviceChoice,
  PlayedChunk,
  SpeakerStream,
  SpeakerStreamStats,
} from '../../electron/audio/devices/sound-driver.ts';
import type { DeviceEvent } from '../../electron/audio/devices/stream-supervisor.ts';
import { Speaker, type SpeakerOptions } from '../../electron/audio/playback/speaker.ts';
import type { AppError, Outcome } from '../../shared/errors/app-error.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import { deferred } from './promises.ts';
import { fakeBuiltIn } from './fake-sound-driver.ts';

/** Fake microphones and speakers. A test feeds blocks to a microphone, and plays the streams of a speaker. */
export class FakeDevices implements SoundOpeners {
  readonly microphones: FakeMicrophone[] = [];
  readonly #speakers: ManualSpeakers;
  /** A microphone opens once this promise resolves. */
  gate = Promise.resolve();

  constructor(clock: Clock) {
    this.#speakers = new ManualSpeakers(clock);
  }

  readonly openMicrophone = async (
    choice: DeviceChoice,
    sink: AudioSink,
    options: MicrophoneOptions,
  ): Promise<Microphone> => {
    const microphone = new FakeMicrophone(choice, sink, options);
    this.microphones.push(microphone);
    await this.gate;
    return microphone;
  };

  readonly createSpeaker = (options: SpeakerOptions): Speaker =>
    this.#speakers.createSpeaker(options);

  readonly openSpeaker = async (
    device: DeviceChoice,
    emit: (event: DeviceEvent) => void,
  ): Promise<Speaker> => {
    const speaker = this.createSpeaker({ device, emit });
    await speaker.open();
    return speaker;
  };

  /** The streams of all speakers, oldest first. */
  get speakers(): readonly ManualSpeakerStream[] {
    return this.#speakers.streams;
  }

  loseSpeaker(error: AppError): void {
    this.#speakers.eventListeners.at(-1)?.({ kind: 'lost', error });
  }

  get open(): readonly string[] {
    const open = (all: readonly { ended: boolean }[], name: string): readonly string[] =>
      all.filter(({ ended }) => !ended).map(() => name);
    return [...open(this.microphones, 'microphone'), ...open(this.speakers, 'speaker')];
  }

  /** From now on, microphones open only after the returned function is called. */
  holdOpening(): () => void {
    const { promise, resolve } = deferred();
    this.gate = promise;
    return resolve;
  }
}

/** A microphone without echo canceller and voice detector. */
export const plainMicrophone = {
  latencyMs: (): number => 0,
  voiceLikelihood: (): number | undefined => undefined,
  hasEcho: (): boolean => false,
  nearEndPresence: (): number | undefined => undefined,
};

export class FakeMicrophone implements Microphone {
  readonly emit: (event: DeviceEvent) => void;
  readonly #pipeline: CapturePipeline;
  choice: DeviceChoice;
  ended = false;

  constructor(choice: DeviceChoice, sink: AudioSink, options: MicrophoneOptions) {
    this.choice = choice;
    this.#pipeline = new CapturePipeline(sink, options);
    this.emit = options.emit;
  }

  /** Feeds a captured block through the real pipeline. */
  readonly hear = (block: Float32Array): void => {
    this.#pipeline.push(block, 0);
  };

  readonly choose = (choice: DeviceChoice): Promise<void> => {
    this.choice = choice;
    return Promise.resolve();
  };

  readonly latencyMs = (): number => 30;

  readonly voiceLikelihood = (): undefined => undefined;

  readonly hasEcho = (): boolean => false;

  readonly nearEndPresence = (): number | undefined => undefined;

  readonly counters = (): ReturnType<Microphone['counters']> => ({
    captured: 0,
    lost: 0,
    repaired: 0,
    echo: 'off',
    silenced: 0,
    devices: 1,
    latencyMs: 0,
  });

  readonly end = (): Promise<void> => {
    this.ended = true;
    return Promise.resolve();
  };
}

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
