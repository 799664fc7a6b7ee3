import { Deque } from '../../../shared/deque.ts';

/** A turn of Parley, with the words that were heard. The protocol carries no text of the user's words. */
export interface TranscriptTurn {
  /** Number of the session in the conversation, from 1. */
  readonly session: number;
  readonly turn: number;
  readonly text: string;
  readonly cut: boolean;
}

/** Several hours of talk; older turns are dropped. */
const defaultMaxCharacters = 200_000;

export class Transcript {
  readonly #maxCharacters: number;
  readonly #turns = new Deque<TranscriptTurn>();
  #characters = 0;
  #session = 0;
  /** Turns of the current session that may continue. */
  readonly #open = new Set<number>();

  constructor(maxCharacters: number = defaultMaxCharacters) {
    this.#maxCharacters = maxCharacters;
  }

  /** Adds turns from an earlier conversation. */
  recall(turns: readonly Pick<TranscriptTurn, 'text' | 'cut'>[]): void {
    for (const [turn, { text, cut }] of turns.entries())
      if (text.trim() !== '')
        this.#put(this.#turns.length, { session: 0, turn, text: text.trim(), cut });
  }

  /** Starts a session: turn numbers restart, and open turns count as cut. */
  begin(): void {
    this.end();
    this.#session += 1;
  }

  /** @param text everything heard of the turn so far */
  setHeard(turn: number, text: string): void {
    const words = text.trim();
    if (words === '') return;
    const at = this.#find(turn);
    const before = this.#turns.at(at);
    if (before?.cut === true) return;
    if (before === undefined) this.#open.add(turn);
    this.#put(at, { session: this.#session, turn, text: words, cut: false });
  }

  cut(turn: number): void {
    this.#open.delete(turn);
    const at = this.#find(turn);
    const before = this.#turns.at(at);
    if (before !== undefined) this.#turns.set(at, { ...before, cut: true });
  }

  complete(turn: number): void {
    this.#open.delete(turn);
  }

  /** Cuts the turns that are still open. */
  end(): void {
    for (const turn of this.#open) this.cut(turn);
  }

  turns(): readonly TranscriptTurn[] {
    return [...this.#turns];
  }

  /** Searches from the end, because a known turn is among the last few. */
  #find(turn: number): number {
    for (let at = this.#turns.length - 1; at >= 0; at -= 1) {
      const previous = this.#turns.at(at);
      if (previous === undefined || previous.session !== this.#session || previous.turn < turn)
        break;
      if (previous.turn === turn) return at;
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
