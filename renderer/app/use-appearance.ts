import { useCallback, useEffect, useLayoutEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { languages, resolveLanguage } from '../../shared/i18n/languages.ts';
import { switchLanguage, useLanguage } from '../i18n/page-language.ts';
import { useUiState } from './app-context.ts';
import { selectAppearance, applyPageStyle, selectCaptions } from './page-style.ts';

/** Applies theme, language and sizes to the root element, and names the system's window. The main window has no `name`. */
export function useAppearance(name?: string): void {
  const { i18n } = useTranslation();
  const appearance = useUiState(selectAppearance);
  const captions = useUiState(selectCaptions);
  useLayoutEffect(() => {
    const chosen = resolveLanguage(appearance.language, navigator.languages);
    let isCurrent = true;
    void switchLanguage(i18n, chosen, () => isCurrent);
    return () => {
      isCurrent = false;
    };
  }, [i18n, appearance.language]);
  useLayoutEffect(
    () => applyPageStyle({ appearance, captions }, document.documentElement),
    [appearance, captions],
  );
  const lang = languages[useLanguage()].tag;
  useEffect(() => {
    document.documentElement.lang = lang;
  }, [lang]);
  useEffect(() => {
    document.title = name === undefined ? 'Parley' : `${name} – Parley`;
  }, [name]);
}

/** Whether the page is narrower than `width` rem. */
export function useNarrowerThan(width: number): boolean {
  return useIsBelow('max-width', width);
}

/** Heights in rem; below them the page scrolls as a whole. In a narrow window lines wrap, and need more height. */
const minHeight = { wide: 26, narrow: 36 };
/** In rem; the same width as in stage.css. */
const minWideWidth = 38;

/** Sets `data-low` if the window is low. */
export function useLowHeight(): void {
  const isNarrow = useNarrowerThan(minWideWidth);
  const isLow = useIsBelow('max-height', isNarrow ? minHeight.narrow : minHeight.wide);
  useEffect(() => {
    document.documentElement.dataset['low'] = String(isLow);
  }, [isLow]);
}

/** Media queries ignore the page's text size, so the limit is multiplied by it. */
function useIsBelow(feature: 'max-width' | 'max-height', rem: number): boolean {
  const { textSize } = useUiState(selectAppearance);
  const query = `(${feature}: ${(rem * textSize) / 100}rem)`;
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
