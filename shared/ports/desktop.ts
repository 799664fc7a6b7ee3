import type { VisibleWindows } from '../app/program.ts';
import type { Settings } from '../settings/settings.ts';
import type { StartChildProcess } from './child-process.ts';

/** The desktop session of the user. */
export interface DesktopSession {
  /** Whether a notification service runs. Notifying without one only fills the log. */
  readonly canNotify: () => boolean;
  /** Whether the desktop shows tray icons, as far as it can be detected. */
  readonly hasTray: () => boolean;
  /** Returns a function that unsubscribes. */
  readonly onTrayChange: (changed: (shown: boolean) => void) => () => void;
  /** Returns a function that unsubscribes. */
  readonly onLock: (locked: () => void) => () => void;
}

export interface AppWindows {
  readonly shown: () => VisibleWindows;
  readonly showMini: () => void;
  readonly closeMini: () => void;
  readonly showMain: () => void;
  readonly quit: () => void;
}

/** Sleep and lock events of the system. Hosts without them detect sleep by comparing clocks. */
export interface SystemSleep {
  /** The machine woke up. Returns a function that unsubscribes. */
  readonly onResume: (resumed: () => void) => () => void;
  /** The machine is about to sleep; a handler has only a moment. */
  readonly onSuspend: (suspending: () => void) => () => void;
  /** The screen was locked; a different person may unlock it. */
  readonly onLock: (locked: () => void) => () => void;
}

/** Native confirmation dialogs. They bypass the page, because a page could be compromised. */
export interface Confirmation {
  /** Whether the user allows a new server. `server` is its scheme, name and port. */
  readonly newServer: (
    server: string,
    language: Settings['appearance']['language'],
  ) => Promise<boolean>;
  /** Whether the user allows a new proxy. */
  readonly newProxy: Confirmation['newServer'];
  /** Whether the user allows a new tool server. `server` is its command line or address. */
  readonly newToolServer: Confirmation['newServer'];
}

/** Messages of the key helper. It watches its chords and reports no other key. */
export type KeyHelperMessage =
  | { readonly kind: 'ready' }
  /** `key` is the chord's position in the list. `held` repeats while the key is down. */
  | {
      readonly kind: 'key';
      readonly key: number;
      readonly event: 'press' | 'held' | 'release';
    }
  /** Watching failed. `code` is the library's error code, or empty. */
  | { readonly kind: 'failed'; readonly code: string; readonly reason: string };

/** The helper takes the chords at start, joined by commas, and accepts no requests. */
export type StartKeyHelper = (chords: string) => StartChildProcess<never>;
