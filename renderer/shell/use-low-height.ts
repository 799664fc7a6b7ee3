import { useEffect } from 'react';
import { appearanceOf } from '../store/page-style.ts';
import { useUiState } from '../store/use-app-context.ts';

/** In heights of text; with less the page scrolls as a whole. */
const minHeight = 26;

/** Says to the style whether there is little height, as a question about the window knows no size of text. */
export function useLowHeight(): void {
  const { textSize } = useUiState(appearanceOf);
  useEffect(() => {
    const low = window.matchMedia(`(max-height: ${(minHeight * textSize) / 100}rem)`);
    const emit = (): void => {
      document.documentElement.dataset['low'] = String(low.matches);
    };
    emit();
    low.addEventListener('change', emit);
    return () => {
      low.removeEventListener('change', emit);
    };
  }, [textSize]);
}
