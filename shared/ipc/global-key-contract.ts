import type { GlobalKeyTestResult, GlobalKeyView } from '../talk/global-key-view.ts';
import type { Nothing } from './reply.ts';

/** What a page may ask of the key that works in every program; which one it is, is a setting. */
export interface GlobalKeyRequests {
  readonly globalKey: { readonly input: Nothing; readonly value: GlobalKeyView };
  /** Waits ten seconds for the key to be pressed. */
  readonly testGlobalKey: { readonly input: Nothing; readonly value: GlobalKeyTestResult };
  /** Begins anew, after it was given up. */
  readonly retryGlobalKey: { readonly input: Nothing; readonly value: Nothing };
}

export interface GlobalKeyNotices {
  /** With each change of its state, and each time it is heard. */
  readonly globalKeyChanged: GlobalKeyView;
}
