import type { VoiceForm } from '../../shared/protocol/client-event.ts';
import type { DialectName } from '../../shared/protocol/dialect-and-mode.ts';

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
