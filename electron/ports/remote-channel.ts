import type { Outcome } from './outcome.ts';

/** What became of asking the Parley that runs. */
export type RemoteReply =
  | { readonly kind: 'done'; readonly said?: string }
  | { readonly kind: 'refused'; readonly message: string }
  /** None runs here, or none that listens. */
  | { readonly kind: 'nobody' }
  | { readonly kind: 'unclear'; readonly message: string };

/** A word that was asked for; most things are done without one. */
export type RemoteAnswer = string | undefined;

/** Whose turn it is to take requests: this Parley's, or that of another one. */
export type RemoteTurn = 'ours' | 'another';

/** From one process to another of the same person: a few words there, a sentence back. */
export interface RemoteChannel {
  /**
   * Takes requests of others, until it is closed. One Parley is enough: where another one takes them
   * already, this one waits, and takes them when that one has gone.
   */
  readonly listen: (
    answer: (asked: string) => Promise<Outcome<RemoteAnswer>>,
    turned?: (turn: RemoteTurn) => void,
  ) => Promise<Outcome<() => Promise<void>>>;
  readonly ask: (words: string) => Promise<RemoteReply>;
}
