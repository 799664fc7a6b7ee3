import { splitWords, speechWeight } from './caption-words.ts';
import { SpeechClock } from './speech-clock.ts';
import { alignWords } from './word-alignment.ts';
import type { WordPosition, StepSound, WeightedWord } from './word-alignment.ts';

/** The step whose words were placed last: they are placed anew when more is known. */
interface AlignedStep extends StepSound {
  readonly firstWord: number;
  readonly before: { readonly text: string; readonly end: number };
}

const wholeTurn: AlignedStep = {
  from: 0,
  until: 0,
  last: true,
  leads: false,
  firstWord: 0,
  before: { text: '', end: 0 },
};

/**
 * The text and the sound of one turn. Text comes with the step in which it begins to be heard, or
 * before it; where a word is heard within the step is found by `alignWords`.
 */
export class CaptionTurn {
  readonly turn: number;
  readonly #pace: number;
  readonly #clock = new SpeechClock();
  #words: readonly WeightedWord[] = [];
  #positions: readonly WordPosition[] = [];
  #text = '';
  #step: AlignedStep | undefined;
  #end = 0;
  #ended = false;
  #cut: number | undefined;

  /** @param pace samples of speech a letter, as far as this voice is known */
  constructor(turn: number, pace: number) {
    this.turn = turn;
    this.#pace = pace;
  }

  get words(): readonly { readonly text: string }[] {
    return this.#words;
  }

  /** How many samples of it are heard in the end, as far as is known. */
  get length(): number {
    return this.#cut ?? this.#clock.samples;
  }

  /** Samples of speech a letter, where it was heard to its end and long enough to be sure. */
  get pace(): number | undefined {
    const letters = this.#words.reduce((sum, { weight }) => sum + weight, 0);
    const known = this.#ended && this.#cut === undefined && letters >= 20;
    return known && this.#clock.samples > 0 ? this.#clock.spoken / letters : undefined;
  }

  /** All of its text, also what was cut. */
  get text(): string {
    return this.#text;
  }

  /** Nothing more comes of it: it was said to the end, or cut. */
  get over(): boolean {
    return this.#ended || this.#cut !== undefined;
  }

  get isCut(): boolean {
    return this.#cut !== undefined;
  }

  addText(text: string): void {
    if (this.#cut !== undefined) return;
    this.#text += text;
    this.#words = splitWords(this.#text).map((word) => ({
      text: word,
      weight: speechWeight(word),
    }));
    // No later sound will come that it could belong to.
    if (this.#ended) this.#placeLast();
  }

  addSound(sound: Float32Array): void {
    if (sound.length === 0) return;
    const from = this.#clock.samples;
    this.#clock.push(sound);
    if (this.#cut !== undefined) return;
    const until = this.#clock.samples;
    const firstWord = this.#positions.length;
    if (firstWord < this.#words.length) {
      const before = { text: this.#words[firstWord - 1]?.text ?? '', end: this.#end };
      this.#position({ from, until, last: false, leads: false, firstWord, before });
    } else if (this.#step?.leads === true) this.#position({ ...this.#step, until });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#cut === undefined) this.#placeLast();
  }

  /** Nothing after so many of its samples will be heard. */
  cutAt(samples: number): void {
    if (this.#cut !== undefined) return;
    const heard = Math.min(samples, this.#clock.samples);
    this.#words = this.#words.slice(0, this.wordsSpokenAt(heard));
    this.#cut = heard;
  }

  /** How many words have begun when so many of its samples have been heard. */
  wordsSpokenAt(samples: number): number {
    const all = this.#words.length;
    if (this.#cut !== undefined && samples >= this.#cut) return all;
    if (this.#ended && samples >= this.#clock.samples) return all;
    for (let index = 0; index < all; index += 1) {
      if (this.startOf(index) >= samples) return index;
    }
    return all;
  }

  /** Where a word begins, in samples of the turn; at its end where that is not known yet. */
  startOf(index: number): number {
    const position = this.#positions[index];
    if (position === undefined) return this.length;
    const sample = this.#clock.sampleAfter(position.spoken) ?? this.#clock.samples;
    return Math.min(this.length, position.notAfter, Math.max(position.notBefore, sample));
  }

  #placeLast(): void {
    const until = this.#clock.samples;
    if (until > 0) this.#position({ ...(this.#step ?? wholeTurn), until, last: true });
  }

  #position(step: AlignedStep): void {
    const words = this.#words.slice(step.firstWord);
    const { positions, end, leads } = alignWords(words, step.before, step, this.#clock, this.#pace);
    this.#positions = [...this.#positions.slice(0, step.firstWord), ...positions];
    this.#end = end;
    this.#step = { ...step, leads };
  }
}
