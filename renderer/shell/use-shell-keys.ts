import { useEffect } from 'react';
import { useDesk } from '../store/use-desk.ts';

/** Keys that work in every place: one for the commands, one for the inspector. */
export function useShellKeys(): void {
  const { store, actions } = useDesk();
  useEffect(() => {
    const toggles: Readonly<Record<string, () => void>> = {
      k: () => {
        actions.setPalette(!store.view().paletteOpen);
      },
      i: () => {
        actions.setInspector(!store.view().inspectorOpen);
      },
    };
    const hear = (event: KeyboardEvent): void => {
      const { ctrlKey, metaKey, altKey, shiftKey, repeat } = event;
      const toggle = toggles[event.key.toLowerCase()];
      if (toggle === undefined || !(ctrlKey || metaKey) || altKey || shiftKey) return;
      event.preventDefault();
      if (!repeat) toggle();
    };
    window.addEventListener('keydown', hear);
    return () => {
      window.removeEventListener('keydown', hear);
    };
  }, [store, actions]);
}
