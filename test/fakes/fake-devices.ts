import { type AudioSink, CapturePipeline } from '../../electron/audio/capture/capture-pipeline.ts';
import type { Microphone, MicrophoneOptions } from '../../electron/audio/capture/microphone.ts';
import type { SoundOpeners } from '../../electron/audio/devices/sound-devices.ts';
import type { DeviceChoice } from '../../electron/audio/devices/sound-driver.ts';
import type { DeviceEvent } from '../../electron/audio/devices/stream-supervisor.ts';
import type { Speaker, SpeakerOptions } from '../../electron/audio/playback/speaker.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { deferred } from './deferred.ts';
import { ManualSpeakers, type ManualSpeakerStream } from './manual-speakers.ts';

/** Microphones and speakers as a controller opens them: a test speaks into them and sees which are open. */
export class FakeDevices implements SoundOpeners {
  readonly microphones: FakeMicrophone[] = [];
  readonly #speakers: ManualSpeakers;
  /** Microphones open only when this is resolved. */
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

  /** The streams of all speakers; they take everything and play nothing until the test says so. */
  get speakers(): readonly ManualSpeakerStream[] {
    return this.#speakers.streams;
  }

  /** The speaker that was opened last is gone. */
  loseSpeaker(error: AppError): void {
    this.#speakers.eventListeners.at(-1)?.({ kind: 'lost', error });
  }

  get open(): readonly string[] {
    const open = (all: readonly { ended: boolean }[], name: string): readonly string[] =>
      all.filter(({ ended }) => !ended).map(() => name);
    return [...open(this.microphones, 'microphone'), ...open(this.speakers, 'speaker')];
  }

  /** The next microphone takes until the returned function is called. */
  holdOpening(): () => void {
    const { promise, resolve } = deferred();
    this.gate = promise;
    return resolve;
  }
}

/** What a conversation asks of a microphone that listens for nothing. */
export const plainMicrophone = {
  latencyMs: (): number => 0,
  voice: (): number | undefined => undefined,
  hasEcho: (): boolean => false,
  hearsSomebody: (): boolean => false,
};

class FakeMicrophone implements Microphone {
  readonly emit: (event: DeviceEvent) => void;
  readonly #pipeline: CapturePipeline;
  choice: DeviceChoice;
  ended = false;

  constructor(choice: DeviceChoice, sink: AudioSink, options: MicrophoneOptions) {
    this.choice = choice;
    this.#pipeline = new CapturePipeline(sink, options);
    this.emit = options.emit;
  }

  /** What a device captures goes the way it goes in a real one. */
  readonly hear = (block: Float32Array): void => {
    this.#pipeline.push(block, 0);
  };

  readonly choose = (choice: DeviceChoice): Promise<void> => {
    this.choice = choice;
    return Promise.resolve();
  };

  readonly latencyMs = (): number => 30;

  readonly voice = (): undefined => undefined;

  readonly hasEcho = (): boolean => false;

  readonly hearsSomebody = (): boolean => false;

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
