import { outputRate } from '../../shared/protocol/limits.ts';
import { splitWords, weightOf } from '../session/caption-words.ts';
import type { TextLead } from './text-lead.ts';
import { VoicedTime } from './voiced-time.ts';

/** Nobody speaks more letters in a second of voice: what is beyond belongs to sound that comes later. */
const mostPerSecond = 30;

interface Word {
  readonly text: string;
  /** Where it begins and ends, in letters. */
  readonly from: number;
  readonly to: number;
}

/** A piece of sound, and which of the turn's letters are spoken in it. */
interface Piece {
  readonly sound: VoicedTime;
  readonly begins: number;
  readonly from: number;
  to: number;
  /** What of the text was said to be spoken by its end, by itself. */
  readonly told: number;
}

/**
 * The words of one turn against its sound. A server brings text and sound in steps: the words of a
 * step begin in its sound, or a little later where text leads. Within a step letters take voice,
 * and pauses none.
 */
export class SpokenTurn {
  readonly turn: number;
  readonly #lead: TextLead;
  #words: readonly Word[] = [];
  #pieces: readonly Piece[] = [];
  #text = '';
  #length = 0;
  #ended = false;
  #cut: { readonly samples: number; readonly words: number } | undefined;

  constructor(turn: number, lead: TextLead) {
    this.turn = turn;
    this.#lead = lead;
  }

  /** All of its text, also what was cut. */
  get text(): string {
    return this.#text;
  }

  /** How many of its samples are heard in the end, as far as is known. */
  get length(): number {
    return this.#cut?.samples ?? this.#length;
  }

  /** Nothing more comes of it: it was said to its end, or cut. */
  get over(): boolean {
    return this.#ended || this.#cut !== undefined;
  }

  /** Letters of the text that are kept, where it was cut. */
  get cutFrom(): number | undefined {
    return this.#cut && this.#textOf(this.#cut.words);
  }

  addText(text: string): void {
    if (this.#cut !== undefined) return;
    this.#text += text;
    let from = 0;
    this.#words = splitWords(this.#text).map((word) => {
      const placed = { text: word, from, to: from + weightOf(word) };
      from = placed.to;
      return placed;
    });
  }

  addSound(samples: Float32Array): void {
    const sound = new VoicedTime(samples);
    const from = this.#pieces.at(-1)?.to ?? 0;
    const told = this.#toldLetters();
    const most = from + (sound.voiced / outputRate) * mostPerSecond;
    const to = Math.max(from, Math.min(told - this.#lead.letters, most));
    this.#pieces = [...this.#pieces, { sound, begins: this.#length, from, to, told }];
    this.#length += sound.samples;
  }

  end(): void {
    if (this.over) return;
    this.#ended = true;
    const last = this.#pieces.at(-1);
    if (last === undefined) return;
    this.#learnLead();
    last.to = Math.max(last.to, this.#letters);
  }

  /** Nothing after so many of its samples will be heard. */
  cutAt(samples: number): void {
    if (this.#cut !== undefined) return;
    const heard = Math.min(samples, this.#length);
    this.#cut = { samples: heard, words: this.#wordsAt(heard) };
  }

  /** How much of the text has been heard when so many of its samples have: up to the word that began. */
  heardAt(samples: number): number {
    if (this.#cut !== undefined && samples >= this.#cut.samples) return this.cutFrom ?? 0;
    if (this.#ended && samples >= this.#length) return this.#text.length;
    return this.#textOf(this.#wordsAt(samples));
  }

  get #letters(): number {
    return this.#words.at(-1)?.to ?? 0;
  }

  /** The last word began in the step, but as a rule it does not end there: two thirds of it do. */
  #toldLetters(): number {
    const last = this.#words.at(-1);
    return last === undefined ? 0 : last.from + (2 * (last.to - last.from)) / 3;
  }

  #wordsAt(samples: number): number {
    if (samples <= 0) return 0;
    const letters = this.#lettersAt(samples);
    const unspoken = this.#words.findIndex((word) => word.from >= letters);
    return unspoken === -1 ? this.#words.length : unspoken;
  }

  #lettersAt(samples: number): number {
    const piece = this.#pieces.findLast(({ begins }) => begins < samples);
    if (piece === undefined) return 0;
    const { sound, begins, from, to } = piece;
    const into = samples - begins;
    const share =
      sound.voiced === 0 ? into / sound.samples : sound.voicedBefore(into) / sound.voiced;
    return from + (to - from) * Math.min(1, share);
  }

  #textOf(words: number): number {
    let letters = 0;
    for (const { text } of this.#words.slice(0, words)) letters += text.length;
    return letters;
  }

  /** How far the text was ahead at the end of each piece, now that the turn's own pace is known. */
  #learnLead(): void {
    const voiced = this.#pieces.reduce((sum, { sound }) => sum + sound.voiced, 0);
    if (this.#pieces.length < 2 || voiced === 0) return;
    const perSample = this.#letters / voiced;
    let before = 0;
    let ahead = 0;
    for (const { sound, told } of this.#pieces.slice(0, -1)) {
      before += sound.voiced;
      ahead += told - before * perSample;
    }
    this.#lead.learn(ahead / (this.#pieces.length - 1));
  }
}
