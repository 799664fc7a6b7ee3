import type { AppError } from '../errors/app-error.ts';

/** What a tape's timeline shows, in milliseconds since the tape began. */
export interface FilmTimeline {
  readonly lengthMs: number;
  /** Up to here the film is made: before it everything is exact, after it only what the lines say. */
  readonly readyMs: number;
  readonly turns: readonly FilmTurn[];
  /** In the order of their times. */
  readonly marks: readonly FilmMark[];
  readonly ribbon: FilmRibbon;
}

/** One answer as it was heard. */
export interface FilmTurn {
  readonly turn: number;
  readonly from: number;
  readonly to: number;
  /** It was silenced before its end. */
  readonly cut: boolean;
}

export const filmMarkKinds = [
  'interruption',
  'picture',
  'reconnect',
  'device',
  'trouble',
  'ending',
] as const;

/** What can be gone to, beside the turns. */
export type FilmMarkKind = (typeof filmMarkKinds)[number];

export interface FilmMark {
  readonly at: number;
  readonly kind: FilmMarkKind;
  /** Of a trouble, a lost device, an ending. */
  readonly error?: AppError | undefined;
  /** Of a picture. */
  readonly picture?: number | undefined;
}

/** How loud both voices were: a byte a point, from 0 for silence (−60 dBFS and below) to 255 for full scale. */
export interface FilmRibbon {
  readonly everyMs: number;
  readonly you: Uint8Array;
  readonly parley: Uint8Array;
}
