import { useEffect, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { appearanceOf, captionsOf } from '../../store/page-style.ts';
import { useUiState } from '../../store/use-app-context.ts';
import { languages } from '../../../shared/i18n/languages.ts';
import { resolveLanguage } from '../../../shared/i18n/resolve-language.ts';
import { switchLanguage } from '../../i18n/create-i18n.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { applyPageStyle } from './apply-page-style.ts';

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
  useLayoutEffect(() => {
    applyPageStyle({ appearance, captions }, document.documentElement);
  }, [appearance, captions]);
  const lang = languages[useLanguage()].tag;
  useEffect(() => {
    document.documentElement.lang = lang;
  }, [lang]);
}
