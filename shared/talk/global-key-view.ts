import type { AppError } from '../errors/app-error.ts';

/** By what the system lets Parley hear a key while another program has the keyboard. */
export type GlobalKeyMethod = 'uiohook' | 'portal' | 'globalShortcut';

/** Where the key stands that works in every program. */
export type GlobalKeyState =
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'active'; readonly method: GlobalKeyMethod }
  /** What listened has ended by itself; it is tried again. */
  | { readonly kind: 'retrying'; readonly inMs: number }
  | { readonly kind: 'unavailable'; readonly error: AppError };

export interface GlobalKeySeen {
  /** `toggle` where only the press is known, `lost` where no release will come. */
  readonly event: 'press' | 'release' | 'toggle' | 'lost';
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface GlobalKeyView {
  readonly state: GlobalKeyState;
  /** When it was last heard of since Parley began. */
  readonly seen?: GlobalKeySeen | undefined;
}

/** What came of asking for the key to be pressed. */
export type GlobalKeyTestResult =
  | { readonly arrived: true; readonly ms: number }
  | { readonly arrived: false };

export const globalKeyOff: GlobalKeyView = { state: { kind: 'off' } };
