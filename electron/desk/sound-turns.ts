import type { Outcome } from '../ports/outcome.ts';

interface Needs {
  /** A talk has the devices; nobody else gets them. */
  readonly talking: () => boolean;
  /** Silences what is spoken beside a talk: it would be heard in a recording. */
  readonly quiet: () => void;
}

type Stop = () => Promise<void>;

/** Microphone and speaker outside a talk: one use at a time, and none while somebody talks. */
export class SoundTurns {
  readonly #needs: Needs;
  #stop: Stop | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Nobody listens or plays at the moment. */
  get free(): boolean {
    return this.#stop === undefined && !this.#needs.talking();
  }

  /** Stops who has the devices, and lets the next one; the returned function gives them back. */
  async take(stop: Stop): Promise<Outcome<() => void>> {
    if (this.#needs.talking()) return { ok: false, problem: talkFirst, why: 'talkHasSound' };
    const before = this.#stop;
    this.#stop = stop;
    this.#needs.quiet();
    await before?.();
    return {
      ok: true,
      value: () => {
        if (this.#stop === stop) this.#stop = undefined;
      },
    };
  }

  /** A talk begins: everybody else stops, and has stopped when this resolves. */
  async clear(): Promise<void> {
    const before = this.#stop;
    this.#stop = undefined;
    this.#needs.quiet();
    await before?.();
  }
}

const talkFirst = 'A talk has the microphone and the speaker; end it first.';
