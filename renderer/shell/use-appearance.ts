import { useEffect, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { appearanceOf, captionsOf } from '../store/page-style.ts';
import { useUiState } from '../store/use-app-context.ts';
import { applyPageStyle, resolveLanguage } from './apply-page-style.ts';

/** Theme, language and sizes as they are set, put where style and screen readers look. */
export function useAppearance(): void {
  const { t, i18n } = useTranslation();
  const appearance = useUiState(appearanceOf);
  const captions = useUiState(captionsOf);
  useLayoutEffect(() => {
    const chosen = resolveLanguage(appearance, navigator.languages);
    if (i18n.language !== chosen) void i18n.changeLanguage(chosen);
  }, [i18n, appearance]);
  useLayoutEffect(() => {
    applyPageStyle({ appearance, captions }, document.documentElement);
  }, [appearance, captions]);
  const lang = t('language');
  useEffect(() => {
    document.documentElement.lang = lang;
  }, [lang]);
}
