import type { TapeEvent } from '../../../shared/replay/tape-event.ts';

type Heard = Extract<TapeEvent, { readonly kind: 'heard' }>;

interface AnsweredTurn {
  /** As a replay of the tape counts it; nothing where the tape has nothing of it. */
  number: number | undefined;
  /** Samples of it that have come. */
  samples: number;
  /** Those among them that the tape has not, in order. */
  readonly missing: { readonly from: number; readonly to: number }[];
}

/**
 * Counts what was heard as a tape has it that does not have all of a talk: a replay counts turns from the first that is on
 * the tape, and of each turn the samples that are.
 */
export class HeardCount {
  readonly #turns = new Map<number, AnsweredTurn>();
  #next = 1;
  #lacking = false;

  /** Something of this turn came, with so much sound; `kept` where it is on the tape. */
  answered(turn: number, samples: number, kept: boolean): void {
    const known = this.#turns.get(turn) ?? { number: undefined, samples: 0, missing: [] };
    this.#turns.set(turn, known);
    const from = known.samples;
    known.samples += samples;
    if (kept) {
      known.number ??= this.#next;
      this.#next = Math.max(this.#next, known.number + 1);
      return;
    }
    this.#lacking = true;
    known.missing.push({ from, to: known.samples });
  }

  /** What follows is on another tape, that has nothing of what was before. */
  beginTape(): void {
    this.#lacking = true;
    this.#next = 1;
    for (const turn of this.#turns.values()) {
      turn.number = undefined;
      turn.missing.splice(0, turn.missing.length, { from: 0, to: turn.samples });
    }
  }

  /** The same on the tape; nothing where what was heard is not on it. */
  heard(event: Heard): Heard | undefined {
    if (!this.#lacking) return event;
    const turn = this.#turns.get(event.turn);
    if (turn?.number === undefined) return undefined;
    let { samples } = event;
    for (const { from, to } of turn.missing)
      samples -= Math.max(0, Math.min(to, event.samples) - from);
    return samples > 0 ? { kind: 'heard', turn: turn.number, samples } : undefined;
  }
}
