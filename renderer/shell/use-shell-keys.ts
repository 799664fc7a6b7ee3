import { useEffect } from 'react';
import { overlaySelector, textInputSelector } from '../keys/focus-selectors.ts';
import type { AppContext } from '../store/app-context.ts';
import { useAppContext } from '../store/use-app-context.ts';

/** Keys that work on every screen: one each for the commands and the inspector, two for the list of keys. */
export function useShellKeys(): void {
  const app = useAppContext();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      // The talk key may be one of these.
      if (event.defaultPrevented) return;
      const toggle = commanded(event, app) ?? plain(event, app);
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

type Toggle = () => void;

function commanded(event: KeyboardEvent, { store, actions }: AppContext): Toggle | undefined {
  const { ctrlKey, metaKey, altKey, shiftKey } = event;
  if (!(ctrlKey || metaKey) || altKey || shiftKey) return undefined;
  const toggles: Readonly<Record<string, Toggle>> = {
    k: () => {
      actions.setPalette(!store.getState().paletteOpen);
    },
    i: () => {
      actions.setInspector(!store.getState().inspectorOpen);
    },
  };
  return toggles[event.key.toLowerCase()];
}

/** The list of keys; a question mark that is being written is none of its business. */
function plain(event: KeyboardEvent, { store, actions }: AppContext): Toggle | undefined {
  const { key, ctrlKey, metaKey, altKey, isComposing, target } = event;
  if ((key !== '?' && key !== 'F1') || ctrlKey || metaKey || altKey || isComposing) {
    return undefined;
  }
  const writing = target instanceof Element && target.closest(textInputSelector) !== null;
  if (key === '?' && writing) return undefined;
  const { shortcutsOpen, paletteOpen } = store.getState();
  const covered =
    document.querySelector(overlaySelector) !== null && !shortcutsOpen && !paletteOpen;
  if (covered) return undefined;
  return () => {
    actions.setShortcuts(!shortcutsOpen);
  };
}
