import { useUiState } from '../store/use-app-context.ts';
import { shownPhrases } from './own-words/shown-phrases.ts';

/** Whether there are words of the talk on the screen, of Parley or of the person. */
export function useSomethingSaid(): boolean {
  return useUiState(
    ({ captions, ownWords }) => captions.length > 0 || shownPhrases(ownWords).length > 0,
  );
}
