import type { ServerMemory } from '../ports/server-memory.ts';
import type { ServerPace } from '../sound/playback/server-pace.ts';

/** What was learned of each server's pace, for talks and for answers that are spoken in chat. */
export class ServerPaces {
  readonly #memory: ServerMemory;
  /** The demonstration has no address, and what goes on in this process is not kept on the disk. */
  #demonstration: ServerPace | undefined;

  constructor(memory: ServerMemory) {
    this.#memory = memory;
  }

  of(address: string | undefined): ServerPace | undefined {
    return address === undefined ? this.#demonstration : this.#memory.recall(address).pace;
  }

  /** To be called when a talk or a session is over, and not for each step: it is written to the disk. */
  learned(address: string | undefined, pace: ServerPace): void {
    // Nothing was heard of it: what it has is what is assumed of all.
    if (pace.maxMs === 0) return;
    if (address === undefined) this.#demonstration = pace;
    else this.#memory.remember(address, { pace });
  }
}
