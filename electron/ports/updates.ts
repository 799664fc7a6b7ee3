import type { UpdateOffer } from '../../shared/updates/judge-update.ts';
import type { Outcome } from './outcome.ts';

/** Something that takes its time, and can be stopped: then it leaves nothing half done, and what comes of it is ignored. */
export interface RunningUpdateStep<Value> {
  readonly done: Promise<Outcome<Value>>;
  readonly stop: () => void;
}

/** Where new versions come from: one origin, and nothing that it does not sign. */
export interface UpdateSource {
  /** As a sentence names it. */
  readonly host: string;
  /** What the feed says; without the right signature it says nothing. */
  readonly describe: () => RunningUpdateStep<string>;
  /** The path of a file that is what was promised; what a broken download has left is gone on with. */
  readonly fetch: (offer: UpdateOffer, part: (ofOne: number) => void) => RunningUpdateStep<string>;
  /** Deletes what was fetched. */
  readonly clear: () => Promise<void>;
}

/** What lies beside the version that runs. */
export interface VersionsBeside {
  readonly previous: string | undefined;
  /** One that is whole, was tried, and waits for its place. */
  readonly next: string | undefined;
}

/** The package that runs. */
export interface InstalledPackage {
  readonly version: string;
  /** The program itself. */
  readonly file: string;
  /** Where it has its `app.asar`. */
  readonly resources: string;
}

/** Where Parley lies, and may replace itself. The version that runs is never touched but by a rename. */
export interface UpdatePlace {
  readonly find: () => Promise<VersionsBeside>;
  /** Also takes away what is left of older versions and broken tries. */
  readonly look: () => Promise<VersionsBeside>;
  /** Lays a version out beside this one, and sees whether it starts and says it is that version. */
  readonly prepare: (file: string, version: string) => RunningUpdateStep<undefined>;
  /** The next version is not wanted any more. */
  readonly drop: () => Promise<void>;
  /** Once nothing of this one is used any more. Where it does not work this one stays. */
  readonly swap: (to: 'next' | 'previous') => Promise<Outcome<undefined>>;
}

/** What may be done about new versions where Parley lies. */
export type UpdateGround =
  | { readonly way: 'system' }
  | { readonly way: 'tells'; readonly fileEnd: string }
  | { readonly way: 'replaces'; readonly fileEnd: string; readonly place: UpdatePlace };
