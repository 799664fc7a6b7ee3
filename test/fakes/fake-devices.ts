import type { DeviceEvent } from '../../electron/sound/devices/stream-supervisor.ts';
import { CapturePipeline } from '../../electron/sound/capture/capture-pipeline.ts';
import type { AudioSink } from '../../electron/sound/capture/audio-sink.ts';
import type { Microphone, MicrophoneOptions } from '../../electron/sound/capture/microphone.ts';
import type { Speaker } from '../../electron/sound/devices/speaker.ts';
import type { DeviceChoice } from '../../electron/ports/sound.ts';
import { deferred } from './deferred.ts';

/** Microphones and speakers as a desk opens them: a test speaks into them and sees which are open. */
export class FakeDevices {
  readonly microphones: FakeMicrophone[] = [];
  readonly speakers: FakeOutput[] = [];
  /** Microphones open only when this is resolved. */
  gate = Promise.resolve();

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

  readonly openSpeaker = (choice: DeviceChoice): Promise<Speaker> => {
    const speaker = new FakeOutput(choice);
    this.speakers.push(speaker);
    return Promise.resolve(speaker);
  };

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

class FakeMicrophone implements Microphone {
  readonly emit: (news: DeviceEvent) => void;
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

  readonly counters = (): ReturnType<Microphone['counters']> => ({
    captured: 0,
    lost: 0,
    repaired: 0,
    silenced: 0,
    devices: 1,
    latencyMs: 0,
  });

  readonly end = (): Promise<void> => {
    this.ended = true;
    return Promise.resolve();
  };
}

/** Takes everything and plays nothing until the test says so. */
class FakeOutput implements Speaker {
  readonly choice: DeviceChoice;
  ended = false;
  volume = 1;
  written = 0;
  played = 0;

  constructor(choice: DeviceChoice) {
    this.choice = choice;
  }

  playAll(): void {
    this.played = this.written;
  }

  readonly write = (samples: Float32Array): void => {
    this.written += samples.length;
  };

  readonly flush = (): { readonly heard: number; readonly dropped: number } => {
    const dropped = this.queued();
    this.written = this.played;
    return { heard: this.played, dropped };
  };

  readonly heard = (): number => this.played;
  readonly queued = (): number => this.written - this.played;
  readonly setVolume = (volume: number): void => {
    this.volume = volume;
  };
  readonly setMuted = (): void => undefined;
  readonly setDuckGain = (): void => undefined;
  readonly choose = (): Promise<void> => Promise.resolve();
  readonly counters = (): ReturnType<Speaker['counters']> => ({
    underruns: 0,
    repaired: 0,
    devices: 1,
    latencyMs: 0,
  });
  readonly end = (): Promise<void> => {
    this.ended = true;
    return Promise.resolve();
  };
}
