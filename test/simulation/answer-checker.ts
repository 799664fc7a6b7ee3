import { markSamples, MarkReader } from './marked-sound.ts';

interface ExpectedMark {
  readonly mark: number;
  readonly turn: number;
}

/** Captions, which estimate the heard words from the pace of speech, may be ahead of the sound by this many marks. */
const maxAheadMarks = 12;
/** An answer must be heard within this time, which counts only while the speakers are idle. */
const heardWithinMs = 8000;

/** Checks with marked sound that each received answer is heard once and in order, unless it was flushed. */
export class AnswerChecker {
  readonly #received = new MarkReader();
  readonly #heard = new MarkReader();
  #expected: ExpectedMark[] = [];
  #turn: number | undefined;
  #progressAt = 0;
  readonly #marksHeard = new Map<number, number>();
  readonly #texts = new Map<number, string>();
  wrong: string | undefined;
  heardSeconds = 0;

  received(turn: number, audio: Float32Array, now: number): void {
    if (turn !== this.#turn) this.#turn = turn;
    for (const mark of this.#received.read(audio)) {
      if (this.#expected.length === 0) this.#progressAt = now;
      this.#expected.push({ mark, turn });
    }
  }

  heard(samples: Float32Array, now: number): void {
    for (const mark of this.#heard.read(samples)) {
      const next = this.#expected.shift();
      this.#progressAt = now;
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

  /** The sound received so far was flushed on purpose. */
  cut(): void {
    this.#expected = [];
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

  /** A caption shows this many characters as heard. */
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
    if (words * 4 > marks + maxAheadMarks)
      this.wrong ??= `the captions were ahead of the sound: ${words} words shown as heard after ${marks / 10} s of them`;
  }

  /** `free`: there are speakers, and none has queued sound. */
  look(now: number, free: boolean): void {
    if (this.#expected.length === 0 || !free) this.#progressAt = now;
    else if (now - this.#progressAt > heardWithinMs)
      this.wrong ??= `${this.#expected.length / 10} s of an answer came, were not cut, and were never heard`;
  }
}
