import { useCallback, useEffect, useLayoutEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { languages, resolveLanguage } from '../../shared/i18n/languages.ts';
import { switchLanguage, useLanguage } from '../i18n/page-language.ts';
import { appearanceOf, applyPageStyle, captionsOf } from './page-style.ts';
import { useUiState } from './use-app-context.ts';

/** Theme, language and sizes as they are set, put where style and screen readers look. */
export function useAppearance(): void {
  const { i18n } = useTranslation();
  const appearance = useUiState(appearanceOf);
  const captions = useUiState(captionsOf);
  useLayoutEffect(() => {
    const chosen = resolveLanguage(appearance.language, navigator.languages);
    let wanted = true;
    void switchLanguage(i18n, chosen, () => wanted);
    return () => {
      wanted = false;
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

/** Whether the page is narrower than so many rem of its own text; a question about the window knows no size of text. */
export function useNarrowerThan(width: number): boolean {
  const { textSize } = useUiState(appearanceOf);
  const query = `(max-width: ${(width * textSize) / 100}rem)`;
  const subscribe = useCallback(
    (changed: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

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
    return () => low.removeEventListener('change', emit);
  }, [textSize]);
}
