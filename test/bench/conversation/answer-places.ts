import type { DemoClip } from '../../../electron/gateway/gateway-options.ts';
import { composeUtterance, type Utterance } from '../../../electron/gateway/utterance.ts';
import { decimate, findSound } from './find-sound.ts';
import { loud, type SoundTape } from './sound-tape.ts';

/** Length of a word's search pattern: long enough to be unique, too short to be stretched much. */
const patternMs = 100;
const coarse = 4;
const minLikeness = 0.7;
/** A word follows another at most this much earlier than in the original, … */
const earlyMs = 15;
const lateMs = 150;
/** … and at most this much later per word between them that was not found. */
const latestMs = 600;

export interface PlacedWord {
  /** Characters of the text up to the word's end. */
  readonly textLength: number;
  /** When it starts at the monitor. */
  readonly at: number;
  /** Its start in the original, in samples. */
  readonly start: number;
}

/** Finds the recorded sentences in a text. */
export function findUtterance(clips: readonly DemoClip[], text: string): Utterance {
  const said: DemoClip[] = [];
  for (let rest = text.trim(); rest !== '';) {
    const clip = clips.find((each) => rest.startsWith(each.text));
    if (clip === undefined) throw new Error(`No recording contains "${rest}".`);
    said.push(clip);
    rest = rest.slice(clip.text.length).trim();
  }
  return composeUtterance(said);
}

export function findOnset({ audio }: Utterance): number {
  return audio.findIndex((sample) => Math.abs(sample) >= loud);
}

/** Finds when each word of an answer plays. The recording starts at the answer's start, including silence. */
export function placeWords(
  { words, audio }: Utterance,
  tape: SoundTape,
  from: number,
): readonly (PlacedWord | undefined)[] {
  const samples = (ms: number): number => Math.round((ms * tape.rate) / 1000);
  let textLength = 0;
  let shift = from;
  let late = lateMs;
  return words.map(({ text, start }, n) => {
    textLength += text.length + (n === 0 ? 0 : 1);
    const pattern = audio.subarray(start, start + samples(patternMs));
    const first = start + shift - samples(earlyMs);
    const searchPart = tape.part(first, first + samples(earlyMs + late) + pattern.length);
    const found = findSound(decimate(pattern, coarse), decimate(searchPart, coarse));
    if (found.likeness < minLikeness) {
      late = Math.min(latestMs, late + lateMs);
      return undefined;
    }
    const place = first + found.at * coarse;
    shift = place - start;
    late = lateMs;
    return { textLength, at: tape.timeOf(place), start };
  });
}

/** When a sample of the original plays, from the word before it. */
export function findPlayTime(
  sample: number,
  words: readonly (PlacedWord | undefined)[],
  rate: number,
): number | undefined {
  const word = words.findLast((each) => each !== undefined && each.start <= sample);
  return word && word.at + ((sample - word.start) * 1000) / rate;
}
