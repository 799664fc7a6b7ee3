import type { DemoClip } from '../../../electron/gateway/gateway-options.ts';
import { composeUtterance, type Utterance } from '../../../electron/gateway/utterance.ts';
import { coarser, findSound } from './find-sound.ts';
import { loud, type SoundTape } from './sound-tape.ts';

/** So much of a word is looked for: long enough to be the only one, too short to be stretched by much. */
const patternMs = 100;
const coarse = 4;
const minLikeness = 0.7;
/** A word comes no earlier after another than it was spoken, and at most so much later… */
const earlyMs = 15;
const lateMs = 150;
/** …for each word in between that was not found. */
const latestMs = 600;

export interface PlacedWord {
  /** Letters of the whole text until it is over. */
  readonly letters: number;
  /** When it begins to sound at the monitor. */
  readonly at: number;
  /** The same place in samples of what was said. */
  readonly start: number;
}

/** The recorded sentences that this text is. */
export function utteranceOf(clips: readonly DemoClip[], text: string): Utterance {
  const said: DemoClip[] = [];
  for (let rest = text.trim(); rest !== '';) {
    const clip = clips.find((each) => rest.startsWith(each.text));
    if (clip === undefined) throw new Error(`Nobody has recorded "${rest}".`);
    said.push(clip);
    rest = rest.slice(clip.text.length).trim();
  }
  return composeUtterance(said);
}

/** Where in what was said the first sound is that can be heard. */
export function onsetOf({ audio }: Utterance): number {
  return audio.findIndex((sample) => Math.abs(sample) >= loud);
}

/** Where each word of an answer sounds, as far as it is found; it begins here, silence included. */
export function placeWords(
  { words, audio }: Utterance,
  tape: SoundTape,
  from: number,
): readonly (PlacedWord | undefined)[] {
  const samples = (ms: number): number => Math.round((ms * tape.rate) / 1000);
  let letters = 0;
  let shift = from;
  let late = lateMs;
  return words.map(({ text, start }, n) => {
    letters += text.length + (n === 0 ? 0 : 1);
    const pattern = audio.subarray(start, start + samples(patternMs));
    const first = start + shift - samples(earlyMs);
    const within = tape.part(first, first + samples(earlyMs + late) + pattern.length);
    const found = findSound(coarser(pattern, coarse), coarser(within, coarse));
    if (found.likeness < minLikeness) {
      late = Math.min(latestMs, late + lateMs);
      return undefined;
    }
    const place = first + found.at * coarse;
    shift = place - start;
    late = lateMs;
    return { letters, at: tape.timeOf(place), start };
  });
}

/** When a sample of what was said sounds: it comes with the word before it. */
export function timeOfSaid(
  sample: number,
  words: readonly (PlacedWord | undefined)[],
  rate: number,
): number | undefined {
  const word = words.findLast((each) => each !== undefined && each.start <= sample);
  return word && word.at + ((sample - word.start) * 1000) / rate;
}
