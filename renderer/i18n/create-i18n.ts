import { createInstance } from 'i18next';
import type { i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../../shared/i18n/languages.ts';
import { languages } from '../../shared/i18n/languages.ts';
import type { englishPage } from '../../shared/i18n/en/page-messages.ts';
import type { PageMessages } from '../../shared/i18n/messages.ts';

const namespace = 'translation';

declare module 'i18next' {
  interface CustomTypeOptions {
    readonly defaultNS: typeof namespace;
    readonly resources: { readonly translation: typeof englishPage };
  }
}

/** With the texts of one language on board; another one comes when it is switched to. */
export async function createI18n(language: Language): Promise<i18n> {
  const instance = createInstance();
  void instance.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    initAsync: false,
    resources: { [language]: { [namespace]: await languages[language].page() } },
    // React escapes by itself.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  return instance;
}

/** The texts as they stand, where nothing is to be filled in. */
export function messagesOf(instance: i18n): PageMessages {
  return instance.getResourceBundle(instance.language, namespace) as PageMessages;
}

/** Nothing is shown of a language before all of it is there. */
export async function switchLanguage(
  instance: i18n,
  language: Language,
  wanted: () => boolean = () => true,
): Promise<void> {
  if (!instance.hasResourceBundle(language, namespace)) {
    const messages = await languages[language].page();
    instance.addResourceBundle(language, namespace, messages);
  }
  if (wanted() && instance.language !== language) await instance.changeLanguage(language);
}
