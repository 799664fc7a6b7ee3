import type { AudioSink } from '../../../../electron/sound/capture/audio-sink.ts';
import { CapturePipeline } from '../../../../electron/sound/capture/capture-pipeline.ts';
import type {
  Microphone,
  MicrophoneOptions,
} from '../../../../electron/sound/capture/microphone.ts';
import type { DeviceEvent } from '../../../../electron/sound/devices/stream-supervisor.ts';
import type { Speaker } from '../../../../electron/sound/devices/speaker.ts';
import type { SoundOpeners } from '../../../../electron/controllers/talk-sound-devices.ts';
import type { DeviceChoice } from '../../../../electron/ports/sound.ts';

/** A speaker whose device the test is: it plays and is heard when it is told to. */
export class ManualSpeaker implements Speaker {
  readonly calls: string[] = [];
  readonly emit: (news: DeviceEvent) => void;
  #written = 0;
  #played = 0;
  #heard = 0;
  ended = false;

  constructor(emit: (news: DeviceEvent) => void) {
    this.emit = emit;
  }

  /** So many samples have gone to the device, and so many of them have reached the ear. */
  plays(played: number, heard = played): void {
    this.#played = Math.min(this.#written, this.#played + played);
    this.#heard = Math.min(this.#played, this.#heard + heard);
  }

  readonly write = (samples: Float32Array): void => void (this.#written += samples.length);

  readonly flush = (): { readonly heard: number; readonly dropped: number } => {
    const dropped = this.#written - this.#played;
    this.#written = this.#played;
    this.#heard = this.#played;
    return { heard: this.#heard, dropped };
  };

  readonly heard = (): number => this.#heard;
  readonly queued = (): number => this.#written - this.#played;
  readonly setVolume = (volume: number): void => void this.calls.push(`volume ${volume}`);
  readonly setMuted = (muted: boolean): void => void this.calls.push(`muted ${muted}`);
  readonly setDuckGain = (gain: number): void => void this.calls.push(`dip ${gain}`);

  readonly choose = (choice: DeviceChoice): Promise<void> => {
    this.calls.push(`choose ${nameOf(choice)}`);
    return Promise.resolve();
  };

  readonly counters = () => ({ underruns: 0, repaired: 0, devices: 1, latencyMs: 0 });

  readonly end = (): Promise<void> => {
    this.ended = true;
    return Promise.resolve();
  };
}

export class ManualMicrophone implements Microphone {
  readonly calls: string[] = [];
  readonly emit: (news: DeviceEvent) => void;
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

  readonly counters = () => ({
    captured: 0,
    lost: 0,
    repaired: 0,
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
export class ManualDevices implements SoundOpeners {
  readonly speakers: ManualSpeaker[] = [];
  readonly microphones: ManualMicrophone[] = [];
  readonly chosen: string[] = [];
  /** What opening waits for. */
  ready: Promise<void> = Promise.resolve();

  get speaker(): ManualSpeaker {
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

  readonly openSpeaker: SoundOpeners['openSpeaker'] = async (choice, emit) => {
    this.chosen.push(`speaker ${nameOf(choice)}`);
    await this.ready;
    const speaker = new ManualSpeaker(emit);
    this.speakers.push(speaker);
    return speaker;
  };

  readonly openMicrophone: SoundOpeners['openMicrophone'] = async (choice, sink, options) => {
    this.chosen.push(`microphone ${nameOf(choice)}`);
    await this.ready;
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
