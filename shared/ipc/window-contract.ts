import type { WindowsShown } from '../windows-shown.ts';
import type { Nothing } from './nothing.ts';

/** What a page may ask of the program's own windows. In a browser there are none. */
export interface WindowRequests {
  readonly windows: { readonly input: Nothing; readonly value: WindowsShown | undefined };
  readonly showMini: { readonly input: Nothing; readonly value: Nothing };
  /** Quits where it is the last window to be seen. */
  readonly closeMini: { readonly input: Nothing; readonly value: Nothing };
  /** The mini window goes where it stood in for it. */
  readonly showMain: { readonly input: Nothing; readonly value: Nothing };
}

export interface WindowNotices {
  readonly windowsShown: WindowsShown;
}
