import { useEffect } from 'react';
import { layers, writes } from '../keys/busy-places.ts';
import type { Desk } from '../store/join-bridge.ts';
import { useDesk } from '../store/use-desk.ts';

/** Keys that work in every place: one each for the commands and the inspector, two for the list of keys. */
export function useShellKeys(): void {
  const desk = useDesk();
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      // The talk key may be one of these.
      if (event.defaultPrevented) return;
      const toggle = commanded(event, desk) ?? plain(event, desk);
      if (toggle === undefined) return;
      event.preventDefault();
      if (!event.repeat) toggle();
    };
    window.addEventListener('keydown', hear);
    return () => {
      window.removeEventListener('keydown', hear);
    };
  }, [desk]);
}

type Toggle = () => void;

function commanded(event: KeyboardEvent, { store, actions }: Desk): Toggle | undefined {
  const { ctrlKey, metaKey, altKey, shiftKey } = event;
  if (!(ctrlKey || metaKey) || altKey || shiftKey) return undefined;
  const toggles: Readonly<Record<string, Toggle>> = {
    k: () => {
      actions.setPalette(!store.view().paletteOpen);
    },
    i: () => {
      actions.setInspector(!store.view().inspectorOpen);
    },
  };
  return toggles[event.key.toLowerCase()];
}

/** The list of keys; a question mark that is being written is none of its business. */
function plain(event: KeyboardEvent, { store, actions }: Desk): Toggle | undefined {
  const { key, ctrlKey, metaKey, altKey, isComposing, target } = event;
  if ((key !== '?' && key !== 'F1') || ctrlKey || metaKey || altKey || isComposing) {
    return undefined;
  }
  const writing = target instanceof Element && target.closest(writes) !== null;
  if (key === '?' && writing) return undefined;
  const { shortcutsOpen, paletteOpen } = store.view();
  const covered = document.querySelector(layers) !== null && !shortcutsOpen && !paletteOpen;
  if (covered) return undefined;
  return () => {
    actions.setShortcuts(!shortcutsOpen);
  };
}
