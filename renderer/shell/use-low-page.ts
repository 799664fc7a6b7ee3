import { useEffect } from 'react';
import { appearanceOf } from '../store/look.ts';
import { useView } from '../store/use-desk.ts';

/** In heights of text; with less the page scrolls as a whole. */
const lowest = 26;

/** Says to the style whether there is little height, as a question about the window knows no size of text. */
export function useLowPage(): void {
  const { textSize } = useView(appearanceOf);
  useEffect(() => {
    const low = window.matchMedia(`(max-height: ${(lowest * textSize) / 100}rem)`);
    const tell = (): void => {
      document.documentElement.dataset['low'] = String(low.matches);
    };
    tell();
    low.addEventListener('change', tell);
    return () => {
      low.removeEventListener('change', tell);
    };
  }, [textSize]);
}
