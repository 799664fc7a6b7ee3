import { createInstance, type i18n, type TFunction } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import type { englishPage } from '../../shared/i18n/en/page-messages.ts';
import { type Language, languageIds, languages } from '../../shared/i18n/languages.ts';
import type { PageMessages } from '../../shared/i18n/messages.ts';

const namespace = 'translation';

declare module 'i18next' {
  interface CustomTypeOptions {
    readonly defaultNS: typeof namespace;
    readonly resources: { readonly translation: typeof englishPage };
  }
}

/** Loads one language; others are loaded on switching. */
export async function createI18n(language: Language): Promise<i18n> {
  const instance = createInstance();
  void instance.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    initAsync: false,
    resources: { [language]: { [namespace]: await languages[language].page() } },
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  return instance;
}

/** The texts with their placeholders. */
export function getMessages(instance: i18n): PageMessages {
  return instance.getResourceBundle(instance.language, namespace) as PageMessages;
}

/** Switches after all texts are loaded, unless a newer switch has replaced this one (`isCurrent`). */
export async function switchLanguage(
  instance: i18n,
  language: Language,
  isCurrent: () => boolean = () => true,
): Promise<void> {
  if (!instance.hasResourceBundle(language, namespace)) {
    const messages = await languages[language].page();
    instance.addResourceBundle(language, namespace, messages);
  }
  if (isCurrent() && instance.language !== language) await instance.changeLanguage(language);
}

export function useLanguage(): Language {
  // i18next only ever gets these ids.
  return useTranslation().i18n.language as Language;
}

/** Language choices, each in its own language. */
export function languageChoices(t: TFunction): Readonly<Record<'system' | Language, string>> {
  const names = languageIds.map((id) => [id, languages[id].ownName] as const);
  const choices = {
    system: t('settings.choices.appearance.theme.system'),
    ...Object.fromEntries(names),
  };
  return choices as Readonly<Record<'system' | Language, string>>;
}
