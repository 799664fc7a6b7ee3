import { outputRate } from '../../shared/protocol/limits.ts';
import { splitWords, weightOf } from './caption-words.ts';

/** About 15 letters a second: what a turn is taken to need until its end is known. */
const samplesPerLetter = 0.065 * outputRate;

/** A word and where it stands in its turn, in letters. */
export interface PlacedWord {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The text and the sound of one turn; text comes first, and by how much nobody says. */
export class CaptionTurn {
  readonly turn: number;
  words: readonly PlacedWord[] = [];
  #text = '';
  #samples = 0;
  #ended = false;
  #cut: number | undefined;
  #rateWhenCut: number | undefined;

  constructor(turn: number) {
    this.turn = turn;
  }

  addText(text: string): void {
    if (this.#cut !== undefined) return;
    this.#text += text;
    let from = 0;
    this.words = splitWords(this.#text).map((word) => {
      const placed = { text: word, from, to: from + weightOf(word) };
      from = placed.to;
      return placed;
    });
  }

  addSound(samples: number): void {
    this.#samples += samples;
  }

  end(): void {
    this.#ended = true;
  }

  /** Nothing after so many of its samples will be heard. */
  cutAt(samples: number): void {
    if (this.#cut !== undefined) return;
    const heard = Math.min(samples, this.#samples);
    this.#rateWhenCut = this.#samplesPerLetter();
    this.words = this.words.slice(0, this.wordsSpokenAt(heard));
    this.#cut = heard;
  }

  /** How many samples of it are heard in the end, as far as is known. */
  get length(): number {
    return this.#cut ?? this.#samples;
  }

  /** How many words have begun when so many of its samples have been heard. */
  wordsSpokenAt(samples: number): number {
    if (this.#cut !== undefined && samples >= this.#cut) return this.words.length;
    if (this.#samples === 0) return this.#ended ? this.words.length : 0;
    if (samples <= 0) return 0;
    const letters = samples / this.#samplesPerLetter();
    const unspoken = this.words.findIndex((word) => word.from >= letters);
    return unspoken === -1 ? this.words.length : unspoken;
  }

  /** Where a place in the text is heard, in samples of the turn. */
  sampleAt(letters: number): number {
    return Math.min(letters * this.#samplesPerLetter(), this.length);
  }

  #samplesPerLetter(): number {
    if (this.#rateWhenCut !== undefined) return this.#rateWhenCut;
    const letters = this.words.at(-1)?.to ?? 0;
    if (letters === 0) return samplesPerLetter;
    const known = this.#samples / letters;
    return this.#ended ? known : Math.max(known, samplesPerLetter);
  }
}
