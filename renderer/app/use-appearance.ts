import { useCallback, useEffect, useLayoutEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { languages, resolveLanguage } from '../../shared/i18n/languages.ts';
import { switchLanguage, useLanguage } from '../i18n/page-language.ts';
import { useUiState } from './app-context.ts';
import { selectAppearance, applyPageStyle, selectCaptions } from './page-style.ts';

/** Applies theme, language and sizes to the root element. */
export function useAppearance(): void {
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
}

/** Whether the page is narrower than `width` rem. Media queries ignore the text size of the page. */
export function useNarrowerThan(width: number): boolean {
  const { textSize } = useUiState(selectAppearance);
  const query = `(max-width: ${(width * textSize) / 100}rem)`;
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

/** Height in rem; below it the page scrolls as a whole. */
const minHeight = 26;

/** Sets `data-low` if the window is low, because media queries ignore the text size of the page. */
export function useLowHeight(): void {
  const { textSize } = useUiState(selectAppearance);
  useEffect(() => {
    const lowQuery = window.matchMedia(`(max-height: ${(minHeight * textSize) / 100}rem)`);
    const emit = (): void => {
      document.documentElement.dataset['low'] = String(lowQuery.matches);
    };
    emit();
    lowQuery.addEventListener('change', emit);
    return () => lowQuery.removeEventListener('change', emit);
  }, [textSize]);
}
