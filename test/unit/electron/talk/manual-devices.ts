import {
  type AudioSink,
  CapturePipeline,
} from '../../../../electron/audio/capture/capture-pipeline.ts';
import type {
  Microphone,
  MicrophoneOptions,
} from '../../../../electron/audio/capture/microphone.ts';
import type { SoundOpeners } from '../../../../electron/audio/devices/sound-devices.ts';
import type { DeviceChoice } from '../../../../electron/audio/devices/sound-driver.ts';
import type { DeviceEvent } from '../../../../electron/audio/devices/stream-supervisor.ts';
import type { Clock } from '../../../../shared/ports/clock.ts';
import { ManualSpeakers, type ManualSpeakerStream } from '../../../fakes/manual-speakers.ts';

export class ManualMicrophone implements Microphone {
  readonly calls: string[] = [];
  readonly emit: (event: DeviceEvent) => void;
  readonly #pipeline: CapturePipeline;
  ended = false;

  constructor(sink: AudioSink, options: MicrophoneOptions) {
    this.#pipeline = new CapturePipeline(sink, options);
    this.emit = options.emit;
  }

  /** What a device captures goes the way it goes in a real one. */
  readonly hear = (block: Float32Array): void => {
    this.#pipeline.push(block, 0);
  };

  readonly latencyMs = (): number => 12;

  readonly choose = (choice: DeviceChoice): Promise<void> => {
    this.calls.push(`choose ${nameOf(choice)}`);
    return Promise.resolve();
  };

  readonly voiceLikelihood = (): undefined => undefined;

  readonly hasEcho = (): boolean => false;

  readonly hasNearEndSpeech = (): boolean => false;

  readonly counters = () => ({
    captured: 0,
    lost: 0,
    repaired: 0,
    echo: 'off' as const,
    silenced: 0,
    devices: 1,
    latencyMs: 12,
  });

  readonly end = async (): Promise<void> => {
    // As a device does, it takes a moment.
    await Promise.resolve();
    this.ended = true;
  };
}

/** Everything that was ever opened, oldest first. */
export class ManualDevices implements Pick<SoundOpeners, 'createSpeaker' | 'openMicrophone'> {
  readonly sounds: ManualSpeakers;
  readonly microphones: ManualMicrophone[] = [];
  readonly #microphonesChosen: string[] = [];
  /** What opening waits for. */
  #ready: Promise<void> = Promise.resolve();

  constructor(clock: Clock) {
    this.sounds = new ManualSpeakers(clock);
  }

  set ready(ready: Promise<void>) {
    this.#ready = ready;
    this.sounds.ready = ready;
  }

  get speakers(): readonly ManualSpeakerStream[] {
    return this.sounds.streams;
  }

  /** What was to be opened: the speakers first. */
  get chosen(): readonly string[] {
    const speakers = this.sounds.chosen.map((choice) => `speaker ${nameOf(choice)}`);
    return [...speakers, ...this.#microphonesChosen];
  }

  /** The speaker's newest stream. */
  get speaker(): ManualSpeakerStream {
    const speaker = this.speakers.at(-1);
    if (speaker === undefined) throw new Error('No speaker was opened.');
    return speaker;
  }

  get microphone(): ManualMicrophone {
    const microphone = this.microphones.at(-1);
    if (microphone === undefined) throw new Error('No microphone was opened.');
    return microphone;
  }

  /** How many of each are open now. */
  get open(): readonly [speakers: number, microphones: number] {
    const stillOpen = (each: { readonly ended: boolean }): boolean => !each.ended;
    return [this.speakers.filter(stillOpen).length, this.microphones.filter(stillOpen).length];
  }

  readonly createSpeaker: SoundOpeners['createSpeaker'] = (options) =>
    this.sounds.createSpeaker(options);

  readonly openMicrophone: SoundOpeners['openMicrophone'] = async (choice, sink, options) => {
    this.#microphonesChosen.push(`microphone ${nameOf(choice)}`);
    await this.#ready;
    const microphone = new ManualMicrophone(sink, options);
    this.microphones.push(microphone);
    return microphone;
  };
}

/** Lets everything that waits for nothing but its turn have it. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

function nameOf(choice: DeviceChoice): string {
  return choice === 'default' ? choice : choice.name;
}
