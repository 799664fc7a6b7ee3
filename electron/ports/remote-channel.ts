import type { Outcome } from './outcome.ts';

/** What became of asking the Parley that runs. */
export type RemoteReply =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly message: string }
  /** None runs here, or none that listens. */
  | { readonly kind: 'nobody' }
  | { readonly kind: 'unclear'; readonly message: string };

/** From one process to another of the same person: a few words there, a sentence back. */
export interface RemoteChannel {
  /**
   * Takes requests of others, until the returned function is called. Where another Parley takes them
   * already nothing comes back, because one is enough.
   */
  readonly listen: (
    answer: (asked: string) => Promise<Outcome<undefined>>,
  ) => Promise<Outcome<(() => Promise<void>) | undefined>>;
  readonly ask: (words: string) => Promise<RemoteReply>;
}
