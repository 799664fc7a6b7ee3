import { useCallback, useSyncExternalStore } from 'react';
import { appearanceOf } from '../store/page-style.ts';
import { useUiState } from '../store/use-app-context.ts';

/** Whether the page is narrower than so many rem of its own text; a question about the window knows no size of text. */
export function useNarrowerThan(width: number): boolean {
  const { textSize } = useUiState(appearanceOf);
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
