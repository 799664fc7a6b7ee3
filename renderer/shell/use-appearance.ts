import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useView } from '../store/use-desk.ts';
import { chooseLanguage } from '../words/choose-language.ts';

/** Theme, language and captions as they were chosen, put where style and screen readers look. */
export function useAppearance(): void {
  const { t, i18n } = useTranslation();
  const { theme, language, captionSize, contrast } = useView(({ appearance }) => appearance);
  useEffect(() => {
    const chosen = language === 'system' ? chooseLanguage(navigator.languages) : language;
    if (i18n.language !== chosen) void i18n.changeLanguage(chosen);
  }, [i18n, language]);
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset['theme'] = theme;
    dataset['captions'] = captionSize;
    dataset['contrast'] = contrast;
  }, [theme, captionSize, contrast]);
  const lang = t('language');
  useEffect(() => {
    document.documentElement.lang = lang;
  }, [lang]);
}
