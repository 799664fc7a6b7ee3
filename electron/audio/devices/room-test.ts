import { encodeWav } from '../../../shared/audio/encode-wav.ts';
import { type AppError, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Files, FileWriter } from '../../../shared/ports/files.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { AudioSettings } from '../../../shared/settings/audio-settings.ts';
import type { Microphone, MicrophoneOptions, OpenMicrophone } from '../capture/microphone.ts';
import { EchoRecorder, type EchoRecording } from '../echo/echo-recording.ts';
import type { Speaker } from '../playback/speaker.ts';
import type { RoomRecordings } from './judge-room.ts';
import type { DeviceChoice } from './sound-driver.ts';
import type { DeviceEvent } from './stream-supervisor.ts';

export interface RoomTestDeps {
  readonly openMicrophone: (
    ...args: Parameters<OpenMicrophone>
  ) => Promise<Pick<Microphone, 'end'>>;
  readonly openSpeaker: (
    device: DeviceChoice,
    emit: (event: DeviceEvent) => void,
  ) => Promise<Pick<Speaker, 'write' | 'end' | 'setVolume'>>;
  readonly clock: Clock;
  readonly audio: Pick<AudioSettings, 'microphone' | 'speaker' | 'playbackVolume'>;
  /** What is played, at the rate of answers. */
  readonly phrase: Float32Array;
  readonly onLevel?: MicrophoneOptions['onLevel'];
}

/** A sound system that has just been woken swallows or delays what comes first. */
const warmUpMs = 1000;
const quietMs = 1000;
/** Before the phrase, so that its beginning is in the recording. */
const leadMs = 200;
/** Wireless speakers are late by half a second, and the room rings on. */
const tailMs = 1200;

/** The microphone is asked for the room as it is. */
const asItIs = (): number => 1;

/** The devices that somebody talks with, open for a test of the room; what is recorded is in memory only. */
export class RoomTest {
  readonly #deps: RoomTestDeps;
  readonly #recorder = new EchoRecorder();
  readonly #microphone: Promise<Pick<Microphone, 'end'>>;
  readonly #speaker: ReturnType<RoomTestDeps['openSpeaker']>;
  readonly #over: Promise<undefined>;
  #stop: () => void = () => undefined;
  #ended = false;
  #warm = false;
  #lost: AppError | undefined;

  constructor(deps: RoomTestDeps) {
    this.#deps = deps;
    this.#over = new Promise((resolve) => {
      this.#stop = () => {
        resolve(undefined);
      };
    });
    const emit = (event: DeviceEvent): void => {
      if (event.kind !== 'lost') return;
      this.#lost ??= event.error;
      this.#stop();
    };
    const { audio, openMicrophone, openSpeaker, onLevel } = deps;
    this.#microphone = openMicrophone(
      audio.microphone,
      { pushAudio: () => undefined },
      { gain: asItIs, emit, withEcho: true, recorder: this.#recorder, onLevel },
    );
    this.#speaker = openSpeaker(audio.speaker, emit);
  }

  /** How long the quiet takes, the first time, and the phrase each time. */
  get quietMs(): number {
    return warmUpMs + quietMs;
  }

  get phraseMs(): number {
    return leadMs + (this.#deps.phrase.length * 1000) / outputRate + tailMs;
  }

  /** Both devices are there, or it is known that one is not. */
  async opened(): Promise<Outcome<undefined>> {
    await Promise.all([this.#microphone, this.#speaker]);
    return this.#failure ?? { ok: true, value: undefined };
  }

  /** Waits for somebody, as long as the devices are there. */
  async until(ready: Promise<unknown>): Promise<Outcome<undefined>> {
    await Promise.race([ready, this.#over]);
    return this.#failure ?? { ok: true, value: undefined };
  }

  /** A second of the room by itself. */
  async quiet(): Promise<Outcome<Float32Array>> {
    await this.opened();
    if (!this.#warm) await this.#passing(warmUpMs);
    this.#warm = true;
    this.#recorder.begin();
    await this.#passing(quietMs);
    const { microphone } = this.#recorder.take();
    return this.#failure ?? { ok: true, value: microphone };
  }

  /** The phrase, with the microphone beside it. */
  async phrase(): Promise<Outcome<EchoRecording>> {
    const { audio, phrase } = this.#deps;
    const speaker = await this.#speaker;
    await this.#microphone;
    speaker.setVolume(audio.playbackVolume);
    this.#recorder.begin();
    await this.#passing(leadMs);
    if (this.#failure === undefined) speaker.write(phrase);
    await this.#passing(this.phraseMs - leadMs);
    const recording = this.#recorder.take();
    return this.#failure ?? { ok: true, value: recording };
  }

  /** Whoever waits for a recording learns that there is none. */
  readonly end = async (): Promise<void> => {
    this.#ended = true;
    this.#stop();
    const opened = await Promise.all([this.#speaker, this.#microphone]);
    await Promise.all(opened.map((device) => device.end()));
  };

  get #failure(): ReturnType<typeof failure> | undefined {
    if (this.#lost !== undefined) return { ok: false, error: this.#lost };
    return this.#ended ? failure('testStopped') : undefined;
  }

  async #passing(ms: number): Promise<void> {
    if (this.#failure !== undefined) return;
    const waits: (() => void)[] = [];
    const passed = new Promise<void>((resolve) => {
      waits.push(this.#deps.clock.after(ms, resolve));
    });
    await Promise.race([passed, this.#over]);
    for (const cancel of waits) cancel();
  }
}

/** How a room of that moment is called, in files and together. */
export function roomName(at: Date): string {
  return `room-${at.toISOString().slice(0, 19).replace(/[:-]/gu, '')}`;
}

/** Writes a room under the names that the yardsticks read, all of it or nothing; returns the files. */
export async function writeRoom(
  { create }: Pick<Files, 'create'>,
  folder: string,
  name: string,
  { alone, over }: RoomRecordings,
): Promise<Outcome<readonly string[]>> {
  const sounds = [...bothOf(name, alone), ...(over ? bothOf(`${name}_doubletalk`, over) : [])];
  const written: FileWriter[] = [];
  const kept: string[] = [];
  for (const [file, sound] of sounds) {
    const path = `${folder}/${file}`;
    const created = await create(path);
    if (created.ok) {
      written.push(created.value);
      created.value.append(encodeWav(sound, { rate: inputRate, channels: 1, coding: 'pcm16' }));
    }
    const closed = created.ok ? await created.value.close() : created;
    if (!closed.ok) {
      // Half a room is of no use to anybody.
      for (const writer of written) await writer.discard();
      return closed;
    }
    kept.push(path);
  }
  return { ok: true, value: kept };
}

function bothOf(
  name: string,
  { microphone, played }: EchoRecording,
): readonly (readonly [string, Float32Array])[] {
  return [
    [`${name}_mic.wav`, microphone],
    [`${name}_lpb.wav`, played],
  ];
}
