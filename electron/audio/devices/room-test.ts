import { encodeWav } from '../../../shared/audio/encode-wav.ts';
import type { RoomStep } from '../../../shared/audio/room-judgement.ts';
import { type AppError, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Files, FileWriter } from '../../../shared/ports/files.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { AudioSettings } from '../../../shared/settings/audio-settings.ts';
import type { MicrophoneOptions } from '../capture/microphone.ts';
import { EchoRecorder, type EchoRecording } from '../echo/echo-recording.ts';
import type { TestDevices } from './sound-devices.ts';
import type { DeviceEvent } from './stream-supervisor.ts';

/** Recordings of a room test; `over` exists only if the user took the step of speaking over the phrase. */
export interface RoomRecordings {
  readonly quiet: Float32Array;
  readonly alone: EchoRecording;
  readonly over?: EchoRecording | undefined;
}

interface RoomTestDeps {
  readonly devices: TestDevices;
  readonly clock: Clock;
  readonly audio: Pick<AudioSettings, 'microphone' | 'speaker' | 'playbackVolume'>;
  readonly phrase: Float32Array;
  readonly onLevel?: MicrophoneOptions['onLevel'];
}

/** A sound system that has just been resumed drops or delays the first sound. */
const warmUpMs = 1000;
const quietMs = 1000;
/** Recorded before the phrase, so that its beginning is complete. */
const leadMs = 200;
/** Wireless speakers are up to half a second late, and the room rings on. */
const tailMs = 1200;

const unityGain = (): number => 1;

/** Opens the devices of a talk for a room test; recordings stay in memory. */
export class RoomTest {
  readonly #deps: RoomTestDeps;
  readonly #recorder = new EchoRecorder();
  readonly #microphone: ReturnType<TestDevices['openMicrophone']>;
  readonly #speaker: ReturnType<TestDevices['openSpeaker']>;
  readonly #stopped: Promise<undefined>;
  #stop: () => void = () => undefined;
  #ended = false;
  #lossError: AppError | undefined;

  constructor(deps: RoomTestDeps) {
    this.#deps = deps;
    this.#stopped = new Promise((resolve) => {
      this.#stop = () => resolve(undefined);
    });
    const emit = (event: DeviceEvent): void => {
      if (event.kind !== 'lost') return;
      this.#lossError ??= event.error;
      this.#stop();
    };
    const { audio, devices, onLevel } = deps;
    this.#microphone = devices.openMicrophone(
      audio.microphone,
      { pushAudio: () => undefined },
      { gain: unityGain, emit, unprocessed: true, recorder: this.#recorder, onLevel },
    );
    this.#speaker = devices.openSpeaker(audio.speaker, emit);
  }

  /**
   * Records the quiet room, the phrase alone, and the phrase with the user speaking over it. Each step is
   * reported before it starts. `ready` resolves to whether the user will speak.
   */
  async run(
    report: (step: RoomStep) => void,
    ready: () => Promise<boolean>,
  ): Promise<Outcome<RoomRecordings>> {
    await Promise.all([this.#microphone, this.#speaker]);
    if (this.#failure !== undefined) return this.#failure;
    report({ step: 'quiet', ms: warmUpMs + quietMs });
    const quiet = await this.#recordQuiet();
    if (!quiet.ok) return quiet;
    report({ step: 'alone', ms: this.#phraseMs });
    const alone = await this.#recordPhrase();
    if (!alone.ok) return alone;
    const recorded = { quiet: quiet.value, alone: alone.value };
    report({ step: 'ready' });
    const isReady = await Promise.race([ready(), this.#stopped]);
    if (this.#failure !== undefined) return this.#failure;
    if (isReady !== true) return { ok: true, value: recorded };
    report({ step: 'over', ms: this.#phraseMs });
    const over = await this.#recordPhrase();
    return over.ok ? { ok: true, value: { ...recorded, over: over.value } } : over;
  }

  get #phraseMs(): number {
    return leadMs + (this.#deps.phrase.length * 1000) / outputRate + tailMs;
  }

  async #recordQuiet(): Promise<Outcome<Float32Array>> {
    await this.#wait(warmUpMs);
    this.#recorder.begin();
    await this.#wait(quietMs);
    const { microphone } = this.#recorder.take();
    return this.#failure ?? { ok: true, value: microphone };
  }

  async #recordPhrase(): Promise<Outcome<EchoRecording>> {
    const { audio, phrase } = this.#deps;
    const speaker = await this.#speaker;
    speaker.setVolume(audio.playbackVolume);
    this.#recorder.begin();
    await this.#wait(leadMs);
    if (this.#failure === undefined) speaker.write(phrase);
    await this.#wait(this.#phraseMs - leadMs);
    const recording = this.#recorder.take();
    return this.#failure ?? { ok: true, value: recording };
  }

  /** Pending recordings end with a failure. */
  readonly end = async (): Promise<void> => {
    this.#ended = true;
    this.#stop();
    const opened = await Promise.all([this.#speaker, this.#microphone]);
    await Promise.all(opened.map((device) => device.end()));
  };

  get #failure(): ReturnType<typeof failure> | undefined {
    if (this.#lossError !== undefined) return { ok: false, error: this.#lossError };
    return this.#ended ? failure('testStopped') : undefined;
  }

  async #wait(ms: number): Promise<void> {
    if (this.#failure !== undefined) return;
    const waits: (() => void)[] = [];
    const passed = new Promise<void>((resolve) => {
      waits.push(this.#deps.clock.after(ms, resolve));
    });
    await Promise.race([passed, this.#stopped]);
    for (const cancel of waits) cancel();
  }
}

export function roomName(at: Date): string {
  return `room-${at.toISOString().slice(0, 19).replace(/[:-]/gu, '')}`;
}

/** Writes all files of a room test or none, under the names that the benchmarks read; returns their paths. */
export async function writeRoom(
  { create }: Pick<Files, 'create'>,
  folder: string,
  name: string,
  { alone, over }: RoomRecordings,
): Promise<Outcome<readonly string[]>> {
  const sounds = [
    ...toWavFiles(name, alone),
    ...(over ? toWavFiles(`${name}_doubletalk`, over) : []),
  ];
  const written: FileWriter[] = [];
  const paths: string[] = [];
  for (const [file, sound] of sounds) {
    const path = `${folder}/${file}`;
    const created = await create(path);
    if (created.ok) {
      written.push(created.value);
      created.value.append(encodeWav(sound, { rate: inputRate, channels: 1, coding: 'pcm16' }));
    }
    const closed = created.ok ? await created.value.close() : created;
    if (!closed.ok) {
      for (const writer of written) await writer.discard();
      return closed;
    }
    paths.push(path);
  }
  return { ok: true, value: paths };
}

function toWavFiles(
  name: string,
  { microphone, played }: EchoRecording,
): readonly (readonly [string, Float32Array])[] {
  return [
    [`${name}_mic.wav`, microphone],
    [`${name}_lpb.wav`, played],
  ];
}
