import { useEffect } from 'react';
import { isWindowKey } from '../keys/window-keys.ts';
import { windowKeysOf } from '../store/page-style.ts';
import { overlaySelector, textInputSelector } from '../keys/focus-selectors.ts';
import type { AppContext } from '../store/app-context.ts';
import { useAppContext } from '../store/use-app-context.ts';

/** Keys that work on every screen: for the commands, the inspector and the list of keys, as they are set. */
export function useShellKeys(): void {
  const app = useAppContext();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      // The talk key may be one of these.
      if (event.defaultPrevented) return;
      const name = shellKeys.find((each) => isShellKey(each, event, app));
      const toggle = name === undefined ? undefined : toggleOf(name, app);
      if (toggle === undefined) return;
      event.preventDefault();
      if (!event.repeat) toggle();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [app]);
}

const shellKeys = ['palette', 'inspector', 'shortcuts'] as const;
type ShellKeyName = (typeof shellKeys)[number];

function isShellKey(name: ShellKeyName, event: KeyboardEvent, { store }: AppContext): boolean {
  if (event.isComposing || !isWindowKey(windowKeysOf(store.getState()), name, event)) return false;
  const { ctrlKey, metaKey, altKey, target, key } = event;
  const writes = !ctrlKey && !metaKey && !altKey && key.length === 1;
  // A question mark that is being written is none of its business.
  return !writes || !(target instanceof Element) || target.closest(textInputSelector) === null;
}

function toggleOf(name: ShellKeyName, { store, actions }: AppContext): (() => void) | undefined {
  const { paletteOpen, inspectorOpen, shortcutsOpen } = store.getState();
  if (name === 'palette') {
    return () => {
      actions.setPalette(!paletteOpen);
    };
  }
  if (name === 'inspector') {
    return () => {
      actions.setInspector(!inspectorOpen);
    };
  }
  const covered =
    document.querySelector(overlaySelector) !== null && !shortcutsOpen && !paletteOpen;
  if (covered) return undefined;
  return () => {
    actions.setShortcuts(!shortcutsOpen);
  };
}
