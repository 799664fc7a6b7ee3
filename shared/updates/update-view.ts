import type { AppError } from '../errors/app-error.ts';
import type { ReleaseNotes } from './update-feed.ts';

/**
 * How this installation gets updates. `system`: from the package manager. `announces`: Parley only notifies the user,
 * because it cannot replace its files. `installs`: Parley replaces itself.
 */
export type UpdateMode = 'none' | 'system' | 'announces' | 'installs';

interface VersionInfo {
  readonly version: string;
  readonly notes: ReleaseNotes;
}

export type UpdateStep =
  | { readonly kind: 'idle' | 'checking' | 'newest' }
  | { readonly kind: 'later'; readonly version: string }
  /** Waits for the user. `address` is the download page of the file. */
  | ({ readonly kind: 'offered'; readonly address: string } & VersionInfo)
  /** `part` is in [0, 1]. */
  | ({ readonly kind: 'fetching'; readonly part: number } & VersionInfo)
  /** Waits for the end of a talk. */
  | ({ readonly kind: 'waiting' } & VersionInfo)
  /** It is installed, and runs after the next start. */
  | ({ readonly kind: 'ready' } & VersionInfo);

export interface UpdateView {
  readonly mode: UpdateMode;
  readonly step: UpdateStep;
  /** Why the last attempt failed. The running version is unchanged. */
  readonly problem: AppError | undefined;
  readonly previous: string | undefined;
  readonly unseenVersion: string | undefined;
}

export const noUpdates: UpdateView = {
  mode: 'none',
  step: { kind: 'idle' },
  problem: undefined,
  previous: undefined,
  unseenVersion: undefined,
};
