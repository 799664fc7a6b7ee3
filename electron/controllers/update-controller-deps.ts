import type { DesktopSettings } from '../../shared/settings/desktop-settings.ts';
import type { Clock, Random, WallClock } from '../ports/clock.ts';
import type { StateFile } from '../ports/files.ts';
import type { Log } from '../ports/log.ts';
import type { UpdateGround, UpdateSource } from '../ports/updates.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';

/** What the updates go by and reach. */
export interface UpdateControllerDeps {
  readonly running: string;
  readonly source: UpdateSource;
  readonly ground: Exclude<UpdateGround, { readonly way: 'system' }>;
  readonly file: StateFile;
  readonly setting: () => DesktopSettings['updates'];
  readonly talking: () => boolean;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** The same, in the form of a feed's dates. */
  readonly date: () => string;
  readonly random: Random;
  readonly log: Log;
  readonly post: PostNotice;
  /** Quits, and starts whatever then stands in the place of this version. */
  readonly restart: () => void;
}
