import { useCallback, useSyncExternalStore } from 'react';
import { appearanceOf } from '../store/look.ts';
import { useView } from '../store/use-desk.ts';

/** Whether the page is narrower than so many rem of its own text; a question about the window knows no size of text. */
export function useNarrower(width: number): boolean {
  const { textSize } = useView(appearanceOf);
  const query = `(max-width: ${(width * textSize) / 100}rem)`;
  const subscribe = useCallback(
    (changed: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', changed);
      return () => {
        media.removeEventListener('change', changed);
      };
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
