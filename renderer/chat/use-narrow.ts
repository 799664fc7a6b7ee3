import { useSyncExternalStore } from 'react';

/** Below this the list has no room beside the conversation; the style sheet has the same number. */
const narrow = '(max-width: 52rem)';

export function useNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(narrow);
      query.addEventListener('change', changed);
      return () => {
        query.removeEventListener('change', changed);
      };
    },
    () => window.matchMedia(narrow).matches,
  );
}
