interface Waiting {
  readonly samples: Float32Array;
  readonly turn: number;
}

/** Sound that waits to be heard, and of which turn it is. */
export class TurnQueue {
  readonly #reaches = new Map<number, number>();
  #waiting: Waiting[] = [];
  #queued = 0;
  #taken = 0;

  get queued(): number {
    return this.#queued;
  }

  /** Samples taken so far. */
  get taken(): number {
    return this.#taken;
  }

  /** The turns that something waits of, in order. */
  get turns(): readonly number[] {
    return [...new Set(this.#waiting.map(({ turn }) => turn))];
  }

  /** Samples of the turn that were taken or wait for it. */
  reachOf(turn: number): number {
    return this.#reaches.get(turn) ?? 0;
  }

  add(samples: Float32Array, turn: number): void {
    if (samples.length === 0) return;
    this.#waiting.push({ samples, turn });
    this.#queued += samples.length;
    this.#reach(turn, samples.length);
  }

  /** The next samples: at most so many, and only of one piece; nothing where nothing waits. */
  take(most: number): Float32Array | undefined {
    const [first, ...rest] = this.#waiting;
    if (first === undefined) return undefined;
    const samples = first.samples.subarray(0, most);
    const left = first.samples.subarray(samples.length);
    this.#waiting = left.length === 0 ? rest : [{ ...first, samples: left }, ...rest];
    this.#queued -= samples.length;
    this.#taken += samples.length;
    return samples;
  }

  /** Keeps only the next so many samples, and says how many were thrown away. */
  keep(count: number): number {
    const before = this.#queued;
    let room = Math.max(0, count);
    const kept: Waiting[] = [];
    for (const { samples, turn } of this.#waiting) {
      const stays = samples.subarray(0, room);
      room -= stays.length;
      this.#reach(turn, stays.length - samples.length);
      if (stays.length > 0) kept.push({ samples: stays, turn });
    }
    this.#waiting = kept;
    this.#queued = kept.reduce((sum, { samples }) => sum + samples.length, 0);
    return before - this.#queued;
  }

  #reach(turn: number, by: number): void {
    this.#reaches.set(turn, this.reachOf(turn) + by);
  }
}
