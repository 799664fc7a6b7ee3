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
  readonly onTrayChange: (listener: (isShown: boolean) => void) => () => void;
  /** Returns a function that unsubscribes. */
  readonly onLock: (listener: () => void) => () => void;
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
  /** Calls back when the machine has woken up. Returns a function that unsubscribes. */
  readonly onResume: (listener: () => void) => () => void;
  /** Calls back when the machine is about to sleep. The listener has only a moment. */
  readonly onSuspend: (listener: () => void) => () => void;
  /** Calls back when the screen was locked. Then Parley would miss the release of a key. */
  readonly onLock: (listener: () => void) => () => void;
}

/** Asks the user in native dialogs and not in the page, because a page could be compromised. */
export interface Confirmation {
  /** Whether the user allows a new server. `server` is its scheme, name and port. */
  readonly newServer: (
    server: string,
    language: Settings['appearance']['language'],
  ) => Promise<boolean>;
  /** Whether the user trusts a certificate. The text is the server, and the fingerprint in the next line. */
  readonly newCertificate: Confirmation['newServer'];
  /** Whether the user removes the fingerprint of a known server. */
  readonly noFingerprint: Confirmation['newServer'];
  /** Whether the user allows a new proxy. */
  readonly newProxy: Confirmation['newServer'];
  /** Whether the user allows a new tool server. `server` is what `describePlace` says about it. */
  readonly newToolServer: Confirmation['newServer'];
  /** Whether the user allows several new tool servers. `server` has one line for each. */
  readonly newToolServers: Confirmation['newServer'];
}

/** Messages of the key helper. It watches its chords and reports no other key. */
export type KeyHelperMessage =
  | { readonly kind: 'ready' }
  /** `key` is the index of the chord. `held` repeats while the key is down. */
  | {
      readonly kind: 'key';
      readonly key: number;
      readonly event: 'press' | 'held' | 'release';
    }
  /** Watching failed. `code` is the library's error code, or empty. */
  | { readonly kind: 'failed'; readonly code: string; readonly reason: string };

/** Starts the helper with its chords, joined by commas. It accepts no requests. */
export type StartKeyHelper = (chords: string) => StartChildProcess<never>;
