import type { AppError } from '../errors/app-error.ts';
import type { ReleaseNotes } from './update-feed.ts';

/**
 * How new versions come to this installation: none is looked for, the system's packages bring them, they are told of
 * because Parley may not replace itself where it lies, or it replaces itself.
 */
export type UpdateWay = 'none' | 'system' | 'tells' | 'replaces';

interface OfVersion {
  readonly version: string;
  readonly notes: ReleaseNotes;
}

/** How far a new version has come. */
export type UpdateStep =
  | { readonly kind: 'idle' | 'checking' | 'newest' }
  | { readonly kind: 'later'; readonly version: string }
  /** It waits for a person's word; `address` is where its file can be fetched by hand. */
  | ({ readonly kind: 'offered'; readonly address: string } & OfVersion)
  /** Of 1. */
  | ({ readonly kind: 'fetching'; readonly part: number } & OfVersion)
  /** For a talk to be over. */
  | ({ readonly kind: 'waiting' } & OfVersion)
  /** It is in place, and runs from the next start on. */
  | ({ readonly kind: 'ready' } & OfVersion);

export interface UpdateView {
  readonly way: UpdateWay;
  readonly step: UpdateStep;
  /** Why the last try came to nothing. The version that runs is as it was. */
  readonly problem: AppError | undefined;
  /** The version before this one, where it was kept. */
  readonly previous: string | undefined;
  /** The newest version, as long as the user has not been notified about it. */
  readonly news: string | undefined;
}

export const noUpdates: UpdateView = {
  way: 'none',
  step: { kind: 'idle' },
  problem: undefined,
  previous: undefined,
  news: undefined,
};
