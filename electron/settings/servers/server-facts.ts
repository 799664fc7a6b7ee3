import type { VoiceForm, DialectName } from '../../../shared/protocol/realtime-api.ts';
import type { ServerPace } from '../../audio/playback/server-pace.ts';

export interface LearnedLimits {
  readonly audio?: number | undefined;
  readonly video?: number | undefined;
  readonly tokens?: number | undefined;
}

export interface LearnedCosts {
  /** Tokens per second for sound and text. */
  readonly otherTokensPerSecond?: number | undefined;
  /** The tokens of a picture, as a multiple of the documented number. */
  readonly pictureScale?: number | undefined;
}

export interface ServerFacts {
  readonly dialect?: DialectName | undefined;
  /** The format of a reference voice, in the legacy dialect. */
  readonly voiceForm?: VoiceForm | undefined;
  /** The session lengths, in seconds, at which the server ended sessions, and the token count that it refused. */
  readonly limits?: LearnedLimits | undefined;
  readonly costs?: LearnedCosts | undefined;
  /** The step timing, as in `ServerPace`, so the first answer starts with the right delay. */
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
 * Facts learned about servers, keyed without an address's secret parts. They are guesses, so failures are not reported.
 */
export interface ServerFactsStore {
  readonly recall: (server: string) => ServerFacts;
  readonly remember: (server: string, facts: ServerFacts) => void;
  /** Resolves when everything is written, as far as possible. */
  readonly settled: () => Promise<void>;
}

/** Built-in servers have no address. */
export interface PacedServer {
  readonly id: string;
  readonly address?: string | undefined;
}

/** The learned pace of each server, for talks and spoken chat answers. */
export class ServerPaces {
  readonly #facts: ServerFactsStore;
  /** By server id, and only in memory. */
  readonly #withoutAddress = new Map<string, ServerPace>();

  constructor(facts: ServerFactsStore) {
    this.#facts = facts;
  }

  recall({ id, address }: PacedServer): ServerPace | undefined {
    return address === undefined ? this.#withoutAddress.get(id) : this.#facts.recall(address).pace;
  }

  /** Call it at the end of a talk or session, because it writes to disk. */
  remember({ id, address }: PacedServer, pace: ServerPace): void {
    // Without a measurement, the pace is only an assumption, which is not worth storing.
    if (pace.maxMs === 0) return;
    if (address === undefined) this.#withoutAddress.set(id, pace);
    else this.#facts.remember(address, { pace });
  }
}
