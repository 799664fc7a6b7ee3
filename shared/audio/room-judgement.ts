import { fillMessage, type PageMessages } from '../i18n/messages.ts';
import type { ExportResult } from '../recordings/export-form.ts';
import type { LoopbackResult } from './sound-tests.ts';

/** The findings of a room test. All in decibels but the delay. */
export interface RoomJudgement {
  readonly noiseDb: number;
  /** None is heard, as with a headset. */
  readonly echo?: RoomEcho | undefined;
  /** How much of somebody who spoke over the phrase is taken away: by guess, where they are well over the echo. */
  readonly person?: { readonly lostDb: number } | undefined;
  readonly isClipped: boolean;
}

export interface RoomEcho {
  readonly lateMs: number;
  readonly overNoiseDb: number;
  readonly takenDb: number;
  /** In the worst tenth of the phrase. */
  readonly worstTakenDb: number;
  /** How loud that is which is left in the loudest tenth. */
  readonly leftOverNoiseDb: number;
}

/** Why there is no judgement: the microphone gives silence, or the speaker has played none of the phrase. */
export type NoJudgement = 'mute' | 'unplayed';

/** The step that a room test is at; `ready` waits for the person. */
export interface RoomStep {
  readonly step: 'quiet' | 'alone' | 'ready' | 'over' | 'judging';
  /** How long it takes, where that is known. */
  readonly ms?: number | undefined;
}

/** Where a room is that somebody wants to keep: in a folder of theirs, or in a zip that their browser fetches. */
export type RoomKept = ExportResult | { readonly kind: 'folder'; readonly path: string };

/** The subjects of advice; `--json` has these words. */
export type RoomAdvice = (typeof roomAdvices)[number];

/** A sentence about a room, and the figures it goes by. */
export interface RoomSentence {
  readonly words: string;
  readonly figures?: string | undefined;
}

export type RoomTexts = PageMessages['settings']['sound']['roomTest']['judged'];

const roomAdvices = ['clipped', 'noise', 'echoLeft', 'late', 'person'] as const;

/** Above this an echo that is left is heard at the other end. */
const mostLeftDb = 10;
/** Softer than this nothing is heard, however quiet the room is. */
const inaudibleDb = -70;
/** Later than this an echo is found only two seconds into the first answer. */
const latestMs = 250;
/** A person who loses more is hard to understand. */
const mostLostDb = 6;

/** The faults of a room that can be mended. */
export function roomAdvice(room: RoomJudgement): readonly RoomAdvice[] {
  const { noiseDb, echo, person, isClipped } = room;
  const left = echo?.leftOverNoiseDb ?? 0;
  const poor: Readonly<Record<RoomAdvice, boolean>> = {
    clipped: isClipped,
    noise: noiseHeard(noiseDb) === 'loud',
    echoLeft: left > mostLeftDb && noiseDb + left > inaudibleDb,
    late: (echo?.lateMs ?? 0) > latestMs,
    person: (person?.lostDb ?? 0) > mostLostDb,
  };
  return roomAdvices.filter((advice) => poor[advice]);
}

/** A room in sentences: noise, echo, and the person where somebody was asked to speak. */
export function roomSentences(
  room: RoomJudgement,
  wasAsked: boolean,
  texts: RoomTexts,
): readonly RoomSentence[] {
  const { noiseDb, echo } = room;
  return [
    { words: texts.noise[noiseHeard(noiseDb)], figures: `${db(noiseDb)} dBFS` },
    echo === undefined ? { words: texts.echo.none } : echoSentence(room, echo, texts),
    ...(wasAsked ? [personSentence(room, texts)] : []),
  ];
}

function echoSentence(room: RoomJudgement, echo: RoomEcho, texts: RoomTexts): RoomSentence {
  const { overNoiseDb, lateMs, takenDb, worstTakenDb } = echo;
  const isLeft = roomAdvice(room).includes('echoLeft');
  const loud = isLeft ? 'left' : 'taken';
  return {
    words: texts.echo[overNoiseDb < 0 ? 'soft' : loud],
    figures: fillMessage(overNoiseDb < 0 ? texts.echoUnder : texts.echoOver, {
      over: Math.abs(overNoiseDb).toFixed(0),
      late: lateMs.toFixed(0),
      taken: db(takenDb),
      worst: db(worstTakenDb),
    }),
  };
}

function personSentence({ echo, person }: RoomJudgement, texts: RoomTexts): RoomSentence {
  if (person === undefined)
    return { words: texts.person[echo === undefined ? 'silent' : 'unheard'] };
  const { lostDb } = person;
  return {
    words: texts.person[lostDb > mostLostDb ? 'softer' : 'heard'],
    figures: fillMessage(texts.personFigures, { lost: lostDb.toFixed(1) }),
  };
}

/** With the minus that is read as one, and no minus before a zero. */
function db(value: number): string {
  return String(Math.round(value) + 0).replace('-', '−');
}

/** How a room is for somebody without headphones, in classes that have words. */
export interface RoomHeard {
  /** How loud the microphone hears the speaker. */
  readonly echo: 'hardly' | 'some' | 'loud';
  readonly noise: 'quiet' | 'some' | 'loud';
}

/** Softer than what was played by so much, and an answer is no louder in the microphone than a quiet room. */
const hardlyDb = -40;
/** And from here on as loud as a person at arm's length. */
const loudDb = -15;
const quietDb = -58;
const noisyDb = -44;

/** Judges a room by a chirp that came back. */
export function roomHeard({
  levelDb,
  noiseDb,
}: Pick<Extract<LoopbackResult, { heard: true }>, 'levelDb' | 'noiseDb'>): RoomHeard {
  return {
    echo: classOf(levelDb, hardlyDb, loudDb, ['hardly', 'some', 'loud']),
    noise: noiseHeard(noiseDb),
  };
}

/** How loud a room is by itself. */
function noiseHeard(noiseDb: number): RoomHeard['noise'] {
  return classOf(noiseDb, quietDb, noisyDb, ['quiet', 'some', 'loud']);
}

function classOf<Class>(
  db: number,
  low: number,
  high: number,
  [soft, middle, loud]: readonly [Class, Class, Class],
): Class {
  if (db < low) return soft;
  return db < high ? middle : loud;
}
