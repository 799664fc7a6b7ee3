import type { WindowsShown } from '../app/program.ts';
import type { Settings } from '../settings/settings.ts';
import type { StartChildProcess } from './child-process.ts';

/** What the desktop that the person is logged in to says of itself. */
export interface DesktopSession {
  /** Whether there is somebody who could show a notification; asking nobody only fills the log. */
  readonly notifies: () => boolean;
  /** Whether somebody shows the icons of trays, as far as that can be told. */
  readonly trayShown: () => boolean;
  /** Calls back each time that changes, until the returned function is called. */
  readonly onTrayShown: (changed: (shown: boolean) => void) => () => void;
  /** Calls back each time the screen is locked, until the returned function is called. */
  readonly onLock: (locked: () => void) => () => void;
}

/** The program's own windows, where a host has any. */
export interface AppWindows {
  readonly shown: () => WindowsShown;
  readonly showMini: () => void;
  readonly closeMini: () => void;
  readonly showMain: () => void;
  readonly quit: () => void;
}

/** The system's own word that it slept or was locked. Where a host has none, the clocks are watched for it. */
export interface SystemSleep {
  /** Calls back each time the machine is awake again, until the returned function is called. */
  readonly onResume: (resumed: () => void) => () => void;
  /** The same for each time it is about to sleep: there is a moment left, and no more. */
  readonly onSuspend: (suspending: () => void) => () => void;
  /** The same for each time the screen is locked: whoever comes back may be somebody else. */
  readonly onLock: (locked: () => void) => () => void;
}

/** Questions that are put to the person past every page, which could have been taken over. */
export interface Confirmation {
  /** Whether a server that was not there before may be used; `server` is its scheme, name and port. */
  readonly newServer: (
    server: string,
    language: Settings['appearance']['language'],
  ) => Promise<boolean>;
  /** Whether servers may be reached by a proxy that was not there before. */
  readonly newProxy: Confirmation['newServer'];
}

/** What a process of its own says that watches the keyboard for one chord: no word of any other key. */
export type KeyHelperMessage =
  | { readonly kind: 'ready' }
  /** `held` is said again and again while the key is down. */
  | { readonly kind: 'key'; readonly event: 'press' | 'held' | 'release' }
  /** It cannot watch; `code` is that of the library, where it has one. */
  | { readonly kind: 'failed'; readonly code: string; readonly reason: string };

/** Starts a process that watches for this chord, and is asked nothing more. */
export type StartKeyHelper = (chord: string) => StartChildProcess<never>;
