import type { Clock } from '../../ports/clock.ts';
import type { ResumableRecorder, TapeRecorder } from './tape-recorder.ts';

/** Words and turns; sound and pictures are larger, and not kept for a full disk. */
const maxCharacters = 4000;
const maxWrites = 2000;

type WriteOnTape = (recorder: TapeRecorder) => void;

/** What could not be written when it happened, to be written at its own time when there is room. */
export class MissedWrites {
  readonly #clock: Clock;
  #writes: { readonly at: number; readonly write: WriteOnTape }[] = [];
  #at: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** For the recorder: what is caught up on has happened when it did. */
  get clock(): Clock {
    const clock = this.#clock;
    return {
      now: () => this.#at ?? clock.now(),
      after: (milliseconds, run) => clock.after(milliseconds, run),
    };
  }

  /** Says whether there is room for it. */
  add(write: WriteOnTape, characters: number): boolean {
    if (characters > maxCharacters || this.#writes.length >= maxWrites) return false;
    this.#writes.push({ at: this.#clock.now(), write });
    return true;
  }

  catchUp(tape: ResumableRecorder): void {
    for (const { at, write } of this.#writes) {
      this.#at = at;
      write(tape);
    }
    this.#at = undefined;
    this.clear();
  }

  clear(): void {
    this.#writes = [];
  }
}
