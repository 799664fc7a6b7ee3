import type { Outcome } from '../errors/app-error.ts';
import type { SecretsKind } from '../settings/connection-settings.ts';

/** Stores tokens and other secrets by id. Its errors contain no secret. */
export interface Secrets {
  /** The keychain, a private file that any program of this account can read, or memory only. */
  readonly kind: () => SecretsKind;
  readonly get: (id: string) => Promise<Outcome<string | undefined>>;
  readonly set: (id: string, secret: string) => Promise<Outcome<undefined>>;
  readonly delete: (id: string) => Promise<Outcome<undefined>>;
  /** Number of secrets; an unreadable storage counts as one. */
  readonly count: () => number;
  /** Deletes all secrets, including orphaned ones, but not copies of damaged files. */
  readonly deleteAll: () => Promise<Outcome<undefined>>;
}

/** The system's keychain, which encrypts texts for us to store. `seal` and `open` may throw. */
export interface Keychain {
  /** May become true only when the host is ready. */
  readonly available: () => boolean;
  readonly seal: (text: string) => Uint8Array;
  readonly open: (sealed: Uint8Array) => string;
}
