import type { VoiceForm } from '../../../shared/protocol/client-event.ts';
import type { DialectName } from '../../../shared/protocol/realtime-api.ts';
import type { ServerPace } from '../../audio/playback/server-pace.ts';

export interface LearnedLimits {
  readonly audio?: number | undefined;
  readonly video?: number | undefined;
  readonly tokens?: number | undefined;
}

/** What its sessions spent of the model's memory. */
export interface LearnedMemory {
  /** On sound and words, in tokens a second. */
  readonly restPerSecond?: number | undefined;
  /** How much more a picture cost than is documented. */
  readonly pictureScale?: number | undefined;
}

/** What is remembered of a server. */
export interface ServerFacts {
  /** Which it spoke last. */
  readonly dialect?: DialectName | undefined;
  /** How it reads a reference voice, if it speaks the legacy dialect. */
  readonly voiceForm?: VoiceForm | undefined;
  /** How long its sessions lasted until it ended them, in seconds, and the tokens that were too many. */
  readonly limits?: LearnedLimits | undefined;
  readonly memory?: LearnedMemory | undefined;
  /** How late its steps come, as `ServerPace` has it: so the first answer begins as the last one should have. */
  readonly pace?:
    | {
        readonly stepMs: number;
        readonly typicalMs: number;
        readonly spreadMs: number;
        readonly maxMs: number;
        readonly steps?: number | undefined;
      }
    | undefined;
}

/**
 * What was noticed of servers. They are known by scheme, host and path; what else stands in an
 * address may be a secret. It is no more than a guess to begin with, so that nothing here fails.
 */
export interface ServerMemory {
  readonly recall: (server: string) => ServerFacts;
  /** Other facts of that server stay. */
  readonly remember: (server: string, facts: ServerFacts) => void;
  /** Resolves once what was remembered is kept, as far as it can be. */
  readonly settled: () => Promise<void>;
}

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
