import type {
  PlayoutBuffer,
  PlayoutCut,
} from '../../../../../electron/audio/playback/playout-buffer.ts';

interface Sample {
  readonly value: number;
  readonly turn: number | undefined;
  readonly held: boolean;
}

interface State {
  readonly counts: readonly number[];
  readonly samples: number;
  readonly silent: boolean;
}

/** The reference in tests of `PlayoutBuffer`: simple, slow, and it keeps every sample. */
export class NaivePlayout {
  readonly #heardTurns: (number | undefined)[] = [];
  readonly heardSamples: number[] = [];
  /** Every written sample that was not cut. */
  #all: Sample[] = [];
  sent = 0;
  played = 0;
  heard = 0;

  write(samples: Float32Array, turn: number | undefined, held: boolean): void {
    for (const value of samples) this.#all.push({ value, turn, held });
  }

  takeHeld(): void {
    this.#all = this.#all.filter(({ held }) => !held);
  }

  unsent(max: number): number[] {
    return this.#released.slice(this.sent, this.sent + max).map(({ value }) => value);
  }

  send(count: number): void {
    this.sent = Math.min(this.#released.length, this.sent + count);
  }

  playedTo(count: number): void {
    this.played = Math.max(this.played, Math.min(count, this.sent));
  }

  heardTo(count: number): void {
    for (; this.heard < Math.min(count, this.played); this.heard += 1) {
      const sample = this.#all[this.heard];
      this.#heardTurns.push(sample?.turn);
      if (sample?.turn !== undefined) this.heardSamples.push(sample.value);
    }
  }

  resend(): void {
    this.heardTo(this.played);
    this.sent = this.played;
  }

  cut(): PlayoutCut {
    const lost = this.#all.slice(this.played);
    this.#all = this.#all.slice(0, this.played);
    this.sent = this.played;
    return {
      dropped: lost.length,
      answer: lost.filter(({ turn }) => turn !== undefined).length,
    };
  }

  state(turn: number): State {
    const answer = (samples: readonly Sample[]) =>
      samples.filter((each) => each.turn !== undefined);
    const toCome = this.#all.slice(this.heard);
    return {
      counts: [
        this.sent,
        this.played,
        this.heard,
        this.#released.length - this.played,
        this.#all.length - this.#released.length,
        this.heardSamples.length,
        answer(toCome).length,
        this.#heardTurns.length - this.heardSamples.length,
      ],
      samples: this.#all.filter((each) => each.turn === turn).length,
      silent: toCome.length === 0,
    };
  }

  /** The state of the buffer under test, in the same form. */
  stateOf(buffer: PlayoutBuffer, turn: number): State {
    return {
      counts: [
        buffer.sent,
        buffer.played,
        buffer.heard,
        buffer.waiting,
        buffer.heldCount,
        buffer.playhead,
        buffer.queued,
        buffer.insertedHeard,
      ],
      samples: buffer.samplesOf(turn),
      silent: buffer.isSilent,
    };
  }

  get #released(): readonly Sample[] {
    return this.#all.filter(({ held }) => !held);
  }
}
