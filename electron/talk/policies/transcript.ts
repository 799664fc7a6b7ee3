import { Deque } from '../../../shared/deque.ts';

/** A turn of Parley's as it was heard. There is no text of the person's words in this protocol. */
export interface TranscriptTurn {
  /** Which session of the conversation, from 1. */
  readonly session: number;
  /** Its number within the session. */
  readonly turn: number;
  readonly text: string;
  /** Something more would have been said, and was not heard. */
  readonly cut: boolean;
}

/** Several hours of talk; the oldest go first. */
const defaultMaxCharacters = 200_000;

/** What Parley has said, over all sessions of a conversation. */
export class Transcript {
  readonly #maxCharacters: number;
  readonly #turns = new Deque<TranscriptTurn>();
  #characters = 0;
  #session = 0;
  /** Turns of the present session that may still go on. */
  readonly #open = new Set<number>();

  constructor(maxCharacters: number = defaultMaxCharacters) {
    this.#maxCharacters = maxCharacters;
  }

  /** What was said in a conversation before this one. */
  recall(turns: readonly Pick<TranscriptTurn, 'text' | 'cut'>[]): void {
    for (const [turn, { text, cut }] of turns.entries())
      if (text.trim() !== '')
        this.#put(this.#turns.length, { session: 0, turn, text: text.trim(), cut });
  }

  /** A new session: its turns are counted anew, and what the last one left open is cut. */
  begin(): void {
    this.end();
    this.#session += 1;
  }

  /** All of the turn that has been heard so far. */
  heard(turn: number, text: string): void {
    const words = text.trim();
    if (words === '') return;
    const at = this.#find(turn);
    const before = this.#turns.at(at);
    if (before?.cut === true) return;
    if (before === undefined) this.#open.add(turn);
    this.#put(at, { session: this.#session, turn, text: words, cut: false });
  }

  /** Nothing more of it will be heard, though there was more. */
  cut(turn: number): void {
    this.#open.delete(turn);
    const at = this.#find(turn);
    const before = this.#turns.at(at);
    if (before !== undefined) this.#turns.set(at, { ...before, cut: true });
  }

  /** It has been heard to its end. */
  complete(turn: number): void {
    this.#open.delete(turn);
  }

  /** The session has ended: what is still being said is heard no further. */
  end(): void {
    for (const turn of this.#open) this.cut(turn);
  }

  /** Oldest first. */
  turns(): readonly TranscriptTurn[] {
    return [...this.#turns];
  }

  /** A turn is one of the last few, if it is there at all; their numbers rise. */
  #find(turn: number): number {
    for (let at = this.#turns.length - 1; at >= 0; at -= 1) {
      const known = this.#turns.at(at);
      if (known === undefined || known.session !== this.#session || known.turn < turn) break;
      if (known.turn === turn) return at;
    }
    return this.#turns.length;
  }

  #put(at: number, turn: TranscriptTurn): void {
    this.#characters += turn.text.length - (this.#turns.at(at)?.text.length ?? 0);
    this.#turns.set(at, turn);
    while (this.#characters > this.#maxCharacters && this.#turns.length > 1) {
      this.#characters -= this.#turns.shift()?.text.length ?? 0;
    }
  }
}
