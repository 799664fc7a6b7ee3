/** What a process of its own says that watches the keyboard for one chord: no word of any other key. */
export type KeyHelperMessage =
  | { readonly kind: 'ready' }
  /** `held` is said again and again while the key is down. */
  | { readonly kind: 'key'; readonly event: 'press' | 'held' | 'release' }
  /** It cannot watch; `code` is that of the library, where it has one. */
  | { readonly kind: 'failed'; readonly code: string; readonly reason: string };

export interface KeyHelperEvents {
  /** What it sends, as it came. */
  readonly message: (message: unknown) => void;
  /** Called once, whoever ended it. */
  readonly exit: () => void;
}

/** A running helper, which ends with the process that started it. */
export interface KeyHelper {
  readonly kill: () => void;
}

/** Starts a helper that watches for this chord. */
export type StartKeyHelper = (chord: string, events: KeyHelperEvents) => KeyHelper;
