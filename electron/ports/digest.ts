/** What stands for many bytes: nobody finds others that have the same. */
export interface Digest {
  /** Text is taken as UTF-8. */
  readonly update: (bytes: Uint8Array | string) => void;
  /** How many it has been given. */
  readonly bytes: () => number;
  /** Once, at the end. */
  readonly hex: () => string;
}

/** SHA-256, which a pure room does not have of its own. */
export type StartDigest = () => Digest;
