import { markSamples, MarkReader } from './marked-sound.ts';

interface AwaitedMark {
  readonly mark: number;
  readonly turn: number;
}

/** The count by the pace of speech can be wrong by this much, plus two words. */
const mayBeAheadMarks = 12;
/** An answer must be heard within this unless something prevents it. */
const lostAfterMs = 8000;

/** Compares received answers with the speaker's output by marks: unless cut, each must be heard once and in order. */
export class AnswerAccount {
  readonly #received = new MarkReader();
  readonly #heard = new MarkReader();
  #awaited: AwaitedMark[] = [];
  #turn: number | undefined;
  #movedAt = 0;
  readonly #marksHeard = new Map<number, number>();
  readonly #texts = new Map<number, string>();
  wrong: string | undefined;
  heardSeconds = 0;

  received(turn: number, audio: Float32Array, now: number): void {
    if (turn !== this.#turn) this.#turn = turn;
    for (const mark of this.#received.read(audio)) {
      if (this.#awaited.length === 0) this.#movedAt = now;
      this.#awaited.push({ mark, turn });
    }
  }

  heard(samples: Float32Array, now: number): void {
    for (const mark of this.#heard.read(samples)) {
      const next = this.#awaited.shift();
      this.#movedAt = now;
      this.heardSeconds += markSamples / 24_000;
      if (next?.mark === mark) {
        this.#marksHeard.set(next.turn, (this.#marksHeard.get(next.turn) ?? 0) + 1);
        continue;
      }
      this.wrong ??=
        next === undefined
          ? `a part of an answer was heard twice, or after it was cut (mark ${mark})`
          : `a part of an answer was lost or out of order: mark ${mark} was heard where ${next.mark} was due`;
    }
  }

  /** The sound received so far was silenced on purpose. */
  cut(): void {
    this.#awaited = [];
    this.#received.reset();
    this.#heard.reset();
  }

  /** Another talk begins, with new turn numbers. */
  begin(): void {
    this.cut();
    this.#turn = undefined;
    this.#marksHeard.clear();
    this.#texts.clear();
  }

  /** A caption marks this many characters as heard. */
  shown(
    turn: number,
    { added, heard }: { readonly added?: string; readonly heard?: number },
  ): void {
    const text = (this.#texts.get(turn) ?? '') + (added ?? '');
    this.#texts.set(turn, text);
    // Captions of an earlier talk were heard then.
    if (heard === undefined || heard === 0 || turn < 0) return;
    const words = text.slice(0, heard).trim().split(/\s+/u).length;
    const marks = this.#marksHeard.get(turn) ?? 0;
    if (words * 4 > marks + mayBeAheadMarks)
      this.wrong ??= `the captions were ahead of the sound: ${words} words shown as heard after ${marks / 10} s of them`;
  }

  /** `free` means that there are speakers and none has anything left to play. */
  look(now: number, free: boolean): void {
    if (this.#awaited.length === 0 || !free) this.#movedAt = now;
    else if (now - this.#movedAt > lostAfterMs)
      this.wrong ??= `${this.#awaited.length / 10} s of an answer came, were not cut, and were never heard`;
  }
}
