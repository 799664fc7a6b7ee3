import { createInstance } from 'i18next';
import type { i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { chinese } from './chinese.ts';
import type { Language } from './choose-language.ts';
import { english } from './english.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    readonly defaultNS: 'translation';
    readonly resources: { readonly translation: typeof english };
  }
}

/** Both languages are on board, so that a switch shows at once and no text is ever waited for. */
export function openWords(language: Language): i18n {
  const words = createInstance();
  void words.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    initAsync: false,
    resources: { en: { translation: english }, zh: { translation: chinese } },
    // React escapes by itself.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  return words;
}
