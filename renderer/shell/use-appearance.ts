import { useEffect, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { appearanceOf, captionsOf } from '../store/look.ts';
import { useView } from '../store/use-desk.ts';
import { applyLook, languageOf } from './apply-look.ts';

/** Theme, language and sizes as they are set, put where style and screen readers look. */
export function useAppearance(): void {
  const { t, i18n } = useTranslation();
  const appearance = useView(appearanceOf);
  const captions = useView(captionsOf);
  useLayoutEffect(() => {
    const chosen = languageOf(appearance, navigator.languages);
    if (i18n.language !== chosen) void i18n.changeLanguage(chosen);
  }, [i18n, appearance]);
  useLayoutEffect(() => {
    applyLook({ appearance, captions }, document.documentElement);
  }, [appearance, captions]);
  const lang = t('language');
  useEffect(() => {
    document.documentElement.lang = lang;
  }, [lang]);
}
