import { useEffect } from 'react';
import { overlaySelector, textInputSelector } from '../../keys/focus-selectors.ts';
import { isWindowKey } from '../../keys/window-keys.ts';
import type { AppContext } from '../../store/app-context.ts';
import { windowKeysOf } from '../../store/page-style.ts';
import { useAppContext } from '../../store/use-app-context.ts';

/**
 * The key that interrupts works wherever one is; on the Talk screen it is one of that screen's own keys. Elsewhere it
 * comes after whoever else needs it, such as a search that it clears; only a replay waits behind a talk.
 */
export function useInterruptKey(): void {
  const app = useAppContext();
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const take = (event: KeyboardEvent): void => {
      if (!isInterrupt(event, app)) return;
      event.preventDefault();
      if (!event.repeat) void app.actions.interrupt();
    };
    const replays = (): boolean => app.store.getState().screen === 'replay';
    window.addEventListener(
      'keydown',
      (event) => {
        if (replays()) take(event);
      },
      { signal, capture: true },
    );
    window.addEventListener(
      'keydown',
      (event) => {
        if (!replays()) take(event);
      },
      { signal },
    );
    return () => {
      leaving.abort();
    };
  }, [app]);
}

function isInterrupt(event: KeyboardEvent, { store }: AppContext): boolean {
  const view = store.getState();
  if (event.defaultPrevented || event.isComposing || view.screen === 'talk') return false;
  if (view.talkState.value.phase !== 'live') return false;
  if (!isWindowKey(windowKeysOf(view), 'interrupt', event)) return false;
  if (document.querySelector(overlaySelector) !== null) return false;
  const { target, key, ctrlKey, metaKey, altKey } = event;
  const writes = key.length === 1 && !ctrlKey && !metaKey && !altKey;
  return !writes || !(target instanceof Element) || target.closest(textInputSelector) === null;
}
