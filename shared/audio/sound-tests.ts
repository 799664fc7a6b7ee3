import type { AppError } from '../errors/app-error.ts';
import { fillMessage, type PageMessages } from '../i18n/messages.ts';
import type { ExportResult } from '../recordings/export-format.ts';

// The tests of sound devices that users run: a microphone's level, a recording of the user, the echo and the room.

/** Event of a microphone whose level is shown. */
export type MeterEvent =
  /** Posted 20 times a second. Levels are in dBFS, and `clipped` counts samples. */
  | {
      readonly kind: 'level';
      readonly rmsDb: number;
      readonly peakDb: number;
      readonly clipped: number;
    }
  | { readonly kind: 'using'; readonly device: string }
  /** No sound arrives; the meter continues when the device is back. */
  | { readonly kind: 'problem'; readonly error: AppError }
  /** The microphone was closed for a talk or another use. */
  | { readonly kind: 'stopped' };

/** Versions of a test recording: as captured, and after echo, noise and level processing. */
export const ownSoundVersions = ['captured', 'sent'] as const;

export type OwnSoundVersion = (typeof ownSoundVersions)[number];

/** `unheard` is a recording without a voice. */
export const ownSoundVerdicts = ['unheard', 'quiet', 'clipped', 'good'] as const;

export type OwnSoundVerdict = (typeof ownSoundVerdicts)[number];

/** Whether the microphone picks up what the speaker plays. */
export type LoopbackResult =
  /** `latencyMs` is the time from writing the chirp to the speaker until the captured chirp could be sent. */
  | {
      readonly heard: true;
      readonly latencyMs: number;
      /** Level of the echo; 0 dB is the level played. */
      readonly levelDb: number;
      /** Level of the room before the chirp, in dBFS. */
      readonly noiseDb: number;
    }
  | { readonly heard: false; readonly error: AppError };

/** Findings of a room test, in decibels except for the delay. */
export interface RoomJudgement {
  readonly noiseDb: number;
  /** Undefined if no echo was heard, as with a headset. */
  readonly echo?: RoomEcho | undefined;
  /**
   * How much the echo canceller attenuates the user's voice while the user speaks over the test phrase, measured where the
   * voice is louder than the echo.
   */
  readonly person?: { readonly attenuationDb: number } | undefined;
  readonly isClipped: boolean;
}

export interface RoomEcho {
  readonly delayMs: number;
  readonly echoAboveNoiseDb: number;
  readonly medianCancelledDb: number;
  /** In the worst tenth of the phrase, at most this much echo is cancelled. */
  readonly worstCancelledDb: number;
  /** In the loudest tenth of the phrase, the residual echo is at least this far above the noise. */
  readonly residualAboveNoiseDb: number;
}

/** Why a room test gave no result: the microphone was silent, or the speaker played nothing. */
export type RoomTestFailure = 'mute' | 'unplayed';

export interface RoomStep {
  readonly step: 'quiet' | 'alone' | 'ready' | 'over' | 'judging';
  readonly ms?: number | undefined;
}

/** Where a room test was saved: in a folder of the user, or in a zip for the browser. */
export type SavedRoom = ExportResult | { readonly kind: 'folder'; readonly path: string };

/** Subjects of advice, also used by `--json`. */
export type RoomAdvice = (typeof roomAdvices)[number];

export interface RoomSentence {
  readonly words: string;
  readonly measurements?: string | undefined;
}

export type RoomTexts = PageMessages['settings']['sound']['roomTest']['judged'];

const roomAdvices = ['clipped', 'noise', 'echoLeft', 'late', 'person'] as const;

/** Residual echo that is above the noise by more than this reaches the model as sound. */
const maxResidualDb = 10;
/** In dBFS. Softer sound is inaudible even in a quiet room. */
const inaudibleDb = -70;
/** With a longer delay, the canceller finds the echo only two seconds into the first answer. */
const maxDelayMs = 250;
/** A voice that is attenuated by more is hard to understand. */
const maxAttenuationDb = 6;

export function roomAdvice(room: RoomJudgement): readonly RoomAdvice[] {
  const { noiseDb, echo, person, isClipped } = room;
  const residualDb = echo?.residualAboveNoiseDb ?? 0;
  const hasProblem: Readonly<Record<RoomAdvice, boolean>> = {
    clipped: isClipped,
    noise: classifyNoise(noiseDb) === 'loud',
    echoLeft: residualDb > maxResidualDb && noiseDb + residualDb > inaudibleDb,
    late: (echo?.delayMs ?? 0) > maxDelayMs,
    person: (person?.attenuationDb ?? 0) > maxAttenuationDb,
  };
  return roomAdvices.filter((advice) => hasProblem[advice]);
}

/** Describes noise and echo, and the user if they were asked to speak. */
export function roomSentences(
  room: RoomJudgement,
  wasAsked: boolean,
  texts: RoomTexts,
): readonly RoomSentence[] {
  const { noiseDb, echo } = room;
  return [
    { words: texts.noise[classifyNoise(noiseDb)], measurements: `${db(noiseDb)} dBFS` },
    echo === undefined ? { words: texts.echo.none } : echoSentence(room, echo, texts),
    ...(wasAsked ? [personSentence(room, texts)] : []),
  ];
}

function echoSentence(room: RoomJudgement, echo: RoomEcho, texts: RoomTexts): RoomSentence {
  const { echoAboveNoiseDb, delayMs, medianCancelledDb, worstCancelledDb } = echo;
  const isLeft = roomAdvice(room).includes('echoLeft');
  const loudText = isLeft ? 'left' : 'taken';
  return {
    words: texts.echo[echoAboveNoiseDb < 0 ? 'soft' : loudText],
    measurements: fillMessage(echoAboveNoiseDb < 0 ? texts.echoUnder : texts.echoOver, {
      over: Math.abs(echoAboveNoiseDb).toFixed(0),
      late: delayMs.toFixed(0),
      taken: db(medianCancelledDb),
      worst: db(worstCancelledDb),
    }),
  };
}

function personSentence({ echo, person }: RoomJudgement, texts: RoomTexts): RoomSentence {
  if (person === undefined)
    return { words: texts.person[echo === undefined ? 'silent' : 'unheard'] };
  const { attenuationDb } = person;
  return {
    words: texts.person[attenuationDb > maxAttenuationDb ? 'softer' : 'heard'],
    measurements: fillMessage(texts.personLoss, { lost: attenuationDb.toFixed(1) }),
  };
}

/** Uses a typographic minus, and none before zero. */
function db(value: number): string {
  return String(Math.round(value) + 0).replace('-', '−');
}

/** The echo and the noise of a room without headphones, as classes that have texts. */
export interface RoomClasses {
  /** Level of the speaker in the microphone. */
  readonly echo: 'hardly' | 'some' | 'loud';
  readonly noise: 'quiet' | 'some' | 'loud';
}

/** Echo this far below the played level is no louder in the microphone than a quiet room. */
const faintEchoDb = -40;
/** From here on the echo is as loud as a person at arm's length. */
const loudEchoDb = -15;
const quietDb = -58;
const noisyDb = -44;

export function classifyRoom({
  levelDb,
  noiseDb,
}: Pick<Extract<LoopbackResult, { heard: true }>, 'levelDb' | 'noiseDb'>): RoomClasses {
  return {
    echo: classify(levelDb, faintEchoDb, loudEchoDb, ['hardly', 'some', 'loud']),
    noise: classifyNoise(noiseDb),
  };
}

function classifyNoise(noiseDb: number): RoomClasses['noise'] {
  return classify(noiseDb, quietDb, noisyDb, ['quiet', 'some', 'loud']);
}

function classify<Class>(
  db: number,
  low: number,
  high: number,
  [soft, middle, loud]: readonly [Class, Class, Class],
): Class {
  if (db < low) return soft;
  return db < high ? middle : loud;
}
