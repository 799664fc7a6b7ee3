import { createInstance } from 'i18next';
import type { i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { chineseMessages } from './chinese-messages.ts';
import type { UiLanguage } from './choose-language.ts';
import { englishMessages } from './english-messages.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    readonly defaultNS: 'translation';
    readonly resources: { readonly translation: typeof englishMessages };
  }
}

/** Both languages are on board, so that a switch shows at once and no text is ever waited for. */
export function createI18n(language: UiLanguage): i18n {
  const instance = createInstance();
  void instance.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    initAsync: false,
    resources: { en: { translation: englishMessages }, zh: { translation: chineseMessages } },
    // React escapes by itself.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  return instance;
}
