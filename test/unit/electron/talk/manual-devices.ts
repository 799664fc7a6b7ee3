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

  /** Captured sound takes the same path as from a real device. */
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

  readonly nearEndPresence = (): number | undefined => undefined;

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
    // Closing a device takes a moment.
    await Promise.resolve();
    this.ended = true;
  };
}

/** Fake sound devices; lists everything that was opened, oldest first. */
export class ManualDevices implements Pick<SoundOpeners, 'createSpeaker' | 'openMicrophone'> {
  readonly sounds: ManualSpeakers;
  readonly microphones: ManualMicrophone[] = [];
  readonly #microphonesChosen: string[] = [];
  /** Opening waits for this. */
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

  /** Devices that were to be opened, speakers first. */
  get chosen(): readonly string[] {
    const speakers = this.sounds.chosen.map((choice) => `speaker ${nameOf(choice)}`);
    return [...speakers, ...this.#microphonesChosen];
  }

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

/** Runs pending microtasks, and chains of them up to 50 long. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

function nameOf(choice: DeviceChoice): string {
  return choice === 'default' ? choice : choice.name;
}
