import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { SecretsKind } from '../../../shared/settings/endpoint-profile.ts';

/** Tokens and other secrets, by the id of what they are for. Nobody else keeps them, and no problem has one in it. */
export interface Secrets {
  /**
   * How well they are guarded: by the system's keychain; in a file that only this account can read,
   * but whose every program can; or not kept at all, so that they are gone when Parley ends.
   */
  readonly kind: () => SecretsKind;
  readonly get: (id: string) => Promise<Outcome<string | undefined>>;
  readonly set: (id: string, secret: string) => Promise<Outcome<undefined>>;
  readonly delete: (id: string) => Promise<Outcome<undefined>>;
  /** How many are known; where nobody can read what is stored, it counts as one. */
  readonly count: () => number;
  /** All of them, also those that belong to no server any more. Copies that were set aside are not its own. */
  readonly deleteAll: () => Promise<Outcome<undefined>>;
}

/** The system's keychain, as far as it seals texts for us to keep. Both may throw. */
export interface Keychain {
  /** It may be there only once the host is ready. */
  readonly available: () => boolean;
  readonly seal: (text: string) => Uint8Array;
  readonly open: (sealed: Uint8Array) => string;
}
