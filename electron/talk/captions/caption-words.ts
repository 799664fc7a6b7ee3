import { partitionPoint } from '../../../shared/collections.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';

/** Scripts without spaces, whose characters are each spoken as a word. */
const spacelessScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const letterOrNumber = /[\p{L}\p{N}]/u;
const phraseEnd = /[.,;:!?…。，、；：！？]["'”’)]*$/u;
/** Closing marks are looked for in this many characters at the end of a word. */
const maxPhraseEnd = 8;
/** In UTF-16 units; longer words, such as addresses, are split. */
const maxWordLength = 64;
/** How long a Chinese or Japanese character takes to say, in letters of an alphabet. */
const spacelessWeight = 4;

export interface CaptionWord {
  /** Includes the space before the word. */
  readonly text: string;
  /** How long the word takes to say, in letters of an alphabet. The word's beginning counts as one letter. */
  readonly weight: number;
  /** Characters of the text up to the end of this word. */
  readonly end: number;
}

type OpenWord = { -readonly [Key in keyof CaptionWord]: CaptionWord[Key] };

/**
 * Splits streamed text into words, each with the space before it; a Chinese or Japanese character is a word. Scans only new text.
 */
export class CaptionWords {
  readonly #words: OpenWord[] = [];
  /** The space before the next word. */
  #space = '';
  /** A high surrogate at the end of the text so far, whose low surrogate comes with the next text. */
  #highSurrogate = '';
  /** Kinds of characters that may still extend the last word. */
  #open: 'nothing' | 'marks' | 'characters' = 'nothing';

  get list(): readonly CaptionWord[] {
    return this.#words;
  }

  add(text: string): void {
    const whole = this.#highSurrogate + text;
    const last = whole.charCodeAt(whole.length - 1);
    this.#highSurrogate = last >= 0xd800 && last <= 0xdbff ? whole.slice(-1) : '';
    for (const character of this.#highSurrogate === '' ? whole : whole.slice(0, -1))
      this.#addCharacter(character);
  }

  truncate(count: number): void {
    this.#words.length = Math.min(this.#words.length, count);
  }

  #addCharacter(character: string): void {
    if (/\s/u.test(character)) {
      this.#space += character;
      this.#open = 'nothing';
    } else if (spacelessScript.test(character)) this.#begin(character, 'marks', spacelessWeight);
    else if (this.#belongsToLast(character)) this.#extend(character);
    else this.#begin(character, 'characters', character.length + 1);
  }

  #belongsToLast(character: string): boolean {
    if (this.#open === 'nothing') return false;
    if (this.#open === 'marks' && letterOrNumber.test(character)) return false;
    return (this.#words.at(-1)?.text.length ?? maxWordLength) < maxWordLength;
  }

  #begin(character: string, open: 'marks' | 'characters', weight: number): void {
    const text = this.#space + character;
    const end = (this.#words.at(-1)?.end ?? 0) + text.length;
    this.#words.push({ text, weight, end });
    this.#space = '';
    this.#open = open;
  }

  #extend(character: string): void {
    const word = this.#words.at(-1);
    if (word === undefined) return;
    word.text += character;
    word.end += character.length;
    if (this.#open === 'characters') word.weight += character.length;
  }
}

function endsPhrase(word: string): boolean {
  return phraseEnd.test(word.slice(-maxPhraseEnd));
}

/** Width in letters of an alphabet; Chinese and Japanese characters count twice. */
export function captionWidth(text: string): number {
  let width = 0;
  for (const character of text) width += spacelessScript.test(character) ? 2 : 1;
  return width;
}

/** Samples of speech per letter, until a turn of this voice was measured. */
export const defaultSpeechPace = 0.0515 * outputRate;
/** If a step's sound is shorter than this share of the time that its words need, some words belong to later steps. */
const leadsBelow = 0.5;
/** Limits of the factor by which a step's words are stretched over its speech; a voice varies no further. */
const minStretch = 0.7;
const maxStretchOfPace = 1.4;
/** A step's last word may continue into the next step; on average this share of the word is spoken in its first step. */
const lastWordShare = 0.65;
/** How far from the expected start of a word a pause may end, in samples of speech. */
const maxPauseDistance = 0.4 * outputRate;

/** Averages the pace with that of the newest turn, within the range of human voices. */
export function updateSpeechPace(pace: number, heard: number | undefined): number {
  if (heard === undefined) return pace;
  return Math.min(defaultSpeechPace * 2, Math.max(defaultSpeechPace / 2, (pace + heard) / 2));
}

/** Where a word begins: after `spoken` samples of speech, but between the samples `notBefore` and `notAfter` of the turn. */
export interface WordPosition {
  readonly spoken: number;
  readonly notBefore: number;
  readonly notAfter: number;
}

export interface StepSound {
  readonly from: number;
  readonly until: number;
  /** The turn ends with this step. */
  readonly last: boolean;
  /** The step's text continues into the sound of later steps. */
  readonly leads: boolean;
}

/** Places a step's words in its sound, by their weight. A word after punctuation starts after the pause. */
export function alignWords(
  words: readonly Pick<CaptionWord, 'text' | 'weight'>[],
  /** The word before them, and the amount of speech at its end. */
  before: { readonly text: string; readonly end: number },
  step: StepSound,
  clock: SpeechClock,
  pace: number,
): { readonly positions: readonly WordPosition[]; readonly end: number; readonly leads: boolean } {
  const last = words.at(-1)?.weight ?? 0;
  const weight = sumWeights(words) - last + last * (step.last ? 1 : lastWordShare);
  let at = Math.max(clock.spokenBefore(step.from), before.end);
  const room = clock.spokenBefore(step.until) - at;
  const leads = !step.last && (step.leads || room < weight * pace * leadsBelow);
  const stretch = leads
    ? 1
    : Math.min(maxStretchOfPace, Math.max(minStretch, room / (weight * pace)));
  const letter = step.last && room > 0 ? room / weight : pace * stretch;
  const notAfter = leads ? Infinity : Math.max(step.from, step.until - 1);
  let previous = before.text;
  let previousPause = -1;
  const positions = words.map(({ text, weight: own }): WordPosition => {
    const pause = endsPhrase(previous)
      ? nearestPauseEnd(clock.resumes, at, previousPause)
      : undefined;
    if (pause !== undefined) {
      at = pause + 1;
      previousPause = pause;
    }
    const position = { spoken: at, notBefore: step.from, notAfter };
    at += own * letter;
    previous = text;
    return position;
  });
  return { positions, end: at, leads };
}

/** The pause end nearest to the expected start of a word, if it follows `after`. */
function nearestPauseEnd(
  resumes: readonly number[],
  at: number,
  after: number,
): number | undefined {
  const next = partitionPoint(resumes.length, (index) => (resumes[index] ?? 0) < at);
  const [before, behind] = [resumes[next - 1], resumes[next]].map((each) =>
    each === undefined || each <= after || Math.abs(each - at) > maxPauseDistance
      ? undefined
      : each,
  );
  if (before === undefined || behind === undefined) return before ?? behind;
  return behind - at < at - before ? behind : before;
}

function sumWeights(words: readonly Pick<CaptionWord, 'weight'>[]): number {
  return words.reduce((total, { weight }) => total + weight, 0);
}

/** 10 ms, in samples. */
const frame = outputRate / 100;
/** A frame is silent below this share of the loudest frame, or below the minimum level. */
const silenceThreshold = 0.06;
const minSpeechLevel = 0.001;
/** Silence counts as this share of speech, so that words keep their order where no frame is loud. */
const silenceWeight = 0.02;
/** In samples. Shorter silences occur within words, before a "t" or "p". */
const minPause = 0.12 * outputRate;

/** Measures how much of a turn's sound is speech, so that words do not advance during pauses. */
export class SpeechClock {
  /** Speech up to the end of each frame, in samples. */
  readonly #spoken: number[] = [];
  readonly #resumes: number[] = [];
  #samples = 0;
  #power = 0;
  #loudest = 0;
  #silentFrames = 0;

  get samples(): number {
    return this.#samples;
  }

  get spoken(): number {
    return this.#spoken.at(-1) ?? 0;
  }

  /** Where speech resumes after a pause, in samples of speech. */
  get resumes(): readonly number[] {
    return this.#resumes;
  }

  push(sound: Float32Array): void {
    for (let n = 0; n < sound.length; n += 1) {
      this.#power += (sound[n] ?? 0) ** 2;
      this.#samples += 1;
      if (this.#samples % frame === 0) this.#endFrame();
    }
  }

  spokenBefore(sample: number): number {
    return this.#spoken[Math.floor(sample / frame) - 1] ?? (sample < frame ? 0 : this.spoken);
  }

  /** The sample at which this much speech was reached; undefined if it was not yet. */
  sampleAfter(spoken: number): number | undefined {
    if (spoken <= 0) return 0;
    const low = partitionPoint(this.#spoken.length, (index) => (this.#spoken[index] ?? 0) < spoken);
    if (low === this.#spoken.length) return undefined;
    const before = this.#spoken[low - 1] ?? 0;
    const within = (spoken - before) / ((this.#spoken[low] ?? 0) - before);
    return Math.round((low + within) * frame);
  }

  #endFrame(): void {
    const level = Math.sqrt(this.#power / frame);
    this.#power = 0;
    this.#loudest = Math.max(this.#loudest, level);
    const loud = level > Math.max(minSpeechLevel, silenceThreshold * this.#loudest);
    if (loud && this.#silentFrames * frame >= minPause) this.#resumes.push(this.spoken);
    this.#silentFrames = loud ? 0 : this.#silentFrames + 1;
    this.#spoken.push(this.spoken + frame * (loud ? 1 : silenceWeight));
  }
}
