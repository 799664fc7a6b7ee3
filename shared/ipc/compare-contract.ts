import type { ComparableTape, ComparedTapes, RerunProgress } from '../compare/compared-tapes.ts';
import type { Nothing } from './reply.ts';

/** What a page may ask to hold a talk against another one. */
export interface CompareRequests {
  /** The others that are kept, newest first. */
  readonly comparableTapes: {
    readonly input: { readonly tape: string };
    readonly value: readonly ComparableTape[];
  };
  readonly compareTapes: {
    readonly input: { readonly tape: string; readonly other: string };
    readonly value: ComparedTapes;
  };
  /**
   * Sends what was said on a tape to a server again, which takes as long as it took; answers with the tape that was made
   * of it. There is one at a time; it ends with the page that asked for it.
   */
  readonly rerunTape: {
    readonly input: { readonly tape: string; readonly server: string };
    readonly value: { readonly tape: string };
  };
  /** Gives up what is being sent; its own request answers that it was stopped. */
  readonly stopRerun: { readonly input: Nothing; readonly value: Nothing };
}

export interface CompareNotices {
  /** Once a second at most, and when it comes further. */
  readonly rerunProgress: RerunProgress;
}
