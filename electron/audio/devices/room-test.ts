import { encodeWav } from '../../../shared/audio/wav.ts';
import type {
  RoomEcho,
  RoomJudgement,
  RoomStep,
  RoomTestFailure,
} from '../../../shared/audio/sound-tests.ts';
import { type AppError, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Files, FileWriter } from '../../../shared/ports/files.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { AudioSettings } from '../../../shared/settings/audio-settings.ts';
import { quantile } from '../../../shared/statistics.ts';
import type { MicrophoneOptions } from '../capture/microphone.ts';
import { energyOf, isClipped, levelDb, powerDb } from '../dsp/loudness.ts';
import { joinSamples } from '../dsp/samples.ts';
import {
  removeEchoFromRecording,
  EchoRecorder,
  type EchoRecording,
  measureEchoDelay,
} from '../echo/echo-recording.ts';
import type { TestDevices } from './sound-devices.ts';
import type { DeviceEvent } from './stream-supervisor.ts';

/** Recordings of a room test: the quiet room, the phrase alone, and the user speaking over it, if they took that step. */
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

/** A sound system that has just been resumed drops or delays the first sound, so the test waits this long. */
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
    const passed = new Promise<void>((resolve) => waits.push(this.#deps.clock.after(ms, resolve)));
    await Promise.race([passed, this.#stopped]);
    for (const cancel of waits) cancel();
  }
}

/** The local time, because the user sees it in the file's name. */
export function roomName(at: Date): string {
  return `room-${at.toLocaleString('sv').replace(' ', 'T').replace(/[:-]/gu, '')}`;
}

/** Writes the recordings of the phrase, all or none, under the names that the benchmarks read; returns their paths. */
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

/** 50 ms: shorter than a syllable, longer than most early reflections of a room. */
const stepSamples = inputRate / 20;
/** The canceller needs this long to converge. */
const learningSamples = inputRate;
/** Delay of the canceller's output: 10 ms. */
const cancellerDelay = inputRate / 100;
/** Softer playback gives no information about its echo. */
const audibleDb = -45;
const audiblePeak = 0.01;
/** The phrase begins at the first sample above this share of its peak. */
const onsetShare = 0.05;
/** Below this level a microphone counts as muted. */
const muteDb = -90;
const minSteps = 10;
const minSpokenSteps = 6;
/** Power ratios from which a step counts as the user's speech. */
const minOverEcho = 2;
const minOverNoise = 10;

/**
 * Judges a room with a talk's canceller: the phrase alone, then the user speaking over it. Calls `pause` between parts of
 * the work, so that other tasks can run.
 */
export async function judgeRoom(
  room: RoomRecordings,
  pause?: () => Promise<void>,
): Promise<RoomJudgement | RoomTestFailure> {
  const { quiet, alone, over } = room;
  const recordings = [quiet, alone.microphone, over?.microphone ?? quiet];
  if (recordings.every((sound) => levelDb(sound) < muteDb)) return 'mute';
  const start = firstAudible(alone.played);
  if (start === undefined) return 'unplayed';
  const noise = quantile(stepPowers(quiet), 0.5) || 0;
  const echoDelayMs = measureEchoDelay(alone);
  const residual = (await removeEchoFromRecording(joinRecordings(alone, over), pause)).subarray(
    cancellerDelay,
  );
  const position = { start, echoDelaySamples: Math.round(((echoDelayMs ?? 0) * inputRate) / 1000) };
  return {
    noiseDb: roundToTenth(powerDb(noise)),
    echo:
      echoDelayMs === undefined
        ? undefined
        : judgeEcho(alone, { residual, noise, echoDelayMs, ...position }),
    person: over && judgePerson(alone, over, { residual, noise, ...position }),
    isClipped: recordings.some(isClipped),
  };
}

interface PhraseMeasurement {
  /** The canceller's output, aligned with the microphone. */
  readonly residual: Float32Array;
  readonly noise: number;
  readonly start: number;
  readonly echoDelaySamples: number;
}

function judgeEcho(
  alone: EchoRecording,
  {
    residual,
    noise,
    start,
    echoDelaySamples,
    echoDelayMs,
  }: PhraseMeasurement & { readonly echoDelayMs: number },
): RoomEcho | undefined {
  const from = start + learningSamples + echoDelaySamples;
  const capturedPowers = stepPowers(alone.microphone.subarray(from));
  const residualPowers = stepPowers(residual.subarray(from, alone.microphone.length));
  const audibleSteps = soundingSteps(alone.played.subarray(start + learningSamples));
  const steps = audibleSteps.filter(
    (step) => step < capturedPowers.length && step < residualPowers.length,
  );
  if (steps.length < minSteps) return undefined;
  const powers = steps.map((step) => capturedPowers[step] ?? 0);
  const mean = powers.reduce((sum, power) => sum + power, 0) / powers.length;
  const cancelledDb = steps.map(
    (step) => powerDb(capturedPowers[step] ?? 0) - powerDb(residualPowers[step] ?? 0),
  );
  const loudResidualPower = quantile(
    steps.map((step) => residualPowers[step] ?? 0),
    0.9,
  );
  return {
    delayMs: roundToTenth(echoDelayMs),
    echoAboveNoiseDb: roundToTenth(powerDb(mean - noise) - powerDb(noise)),
    medianCancelledDb: roundToTenth(quantile(cancelledDb, 0.5)),
    worstCancelledDb: roundToTenth(quantile(cancelledDb, 0.1)),
    residualAboveNoiseDb: roundToTenth(powerDb(loudResidualPower) - powerDb(noise)),
  };
}

/** Compares both recordings in the same steps of the phrase; the additional power is the user's. */
function judgePerson(
  alone: EchoRecording,
  userOverPhrase: EchoRecording,
  { residual, noise, start, echoDelaySamples }: PhraseMeasurement,
): RoomJudgement['person'] {
  const secondStart = firstAudible(userOverPhrase.played);
  if (secondStart === undefined) return undefined;
  const echoPowers = stepPowers(alone.microphone.subarray(start + echoDelaySamples));
  const capturedPowers = stepPowers(
    userOverPhrase.microphone.subarray(secondStart + echoDelaySamples),
  );
  const residualPowers = stepPowers(
    residual.subarray(alone.microphone.length + secondStart + echoDelaySamples),
  );
  let [stepCount, userPower, remainingPower] = [0, 0, 0];
  for (const step of soundingSteps(userOverPhrase.played.subarray(secondStart))) {
    const [power, echoPower] = [capturedPowers[step] ?? 0, echoPowers[step] ?? 0];
    // A syllable of the phrase may fall into the step before or after, so the power must also reach the echo of both neighbours.
    const minPower = Math.max(
      echoPowers[step - 1] ?? 0,
      minOverEcho * echoPower,
      echoPowers[step + 1] ?? 0,
    );
    if (step >= residualPowers.length || power < minPower || power < minOverNoise * noise) continue;
    stepCount += 1;
    userPower += power - echoPower;
    remainingPower += residualPowers[step] ?? 0;
  }
  if (stepCount < minSpokenSteps) return undefined;
  // In these steps the echo is at most half the captured power, so the difference estimates the user's.
  return {
    attenuationDb: roundToTenth(
      Math.max(0, powerDb(userPower / stepCount) - powerDb(remainingPower / stepCount)),
    ),
  };
}

/** Joins both recordings into one talk, so the canceller has learned the room before the user speaks. */
function joinRecordings(alone: EchoRecording, over: EchoRecording | undefined): EchoRecording {
  if (over === undefined) return alone;
  return {
    microphone: joinSamples([alone.microphone, over.microphone]),
    played: joinSamples([alone.played, over.played]),
  };
}

function soundingSteps(played: Float32Array): readonly number[] {
  return stepPowers(played).flatMap((power, step) => (powerDb(power) > audibleDb ? [step] : []));
}

/** First sample of the phrase. In both recordings nothing else is played. */
function firstAudible(played: Float32Array): number | undefined {
  const peak = played.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  if (peak < audiblePeak) return undefined;
  return played.findIndex((sample) => Math.abs(sample) > onsetShare * peak);
}

function stepPowers(sound: Float32Array): readonly number[] {
  return Array.from({ length: Math.floor(sound.length / stepSamples) }, (_, step) => {
    const from = step * stepSamples;
    return energyOf(sound, from, from + stepSamples) / stepSamples;
  });
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
