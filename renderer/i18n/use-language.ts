import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { languageIds, languages } from '../../shared/i18n/languages.ts';
import type { Language } from '../../shared/i18n/languages.ts';

/** What the page is shown in. */
export function useLanguage(): Language {
  // Nothing else is ever given to i18next.
  return useTranslation().i18n.language as Language;
}

/** What the language can be set to, each called as its speakers call it. */
export function languageChoices(t: TFunction): Readonly<Record<'system' | Language, string>> {
  const names = languageIds.map((id) => [id, languages[id].ownName] as const);
  const choices = { system: t('shell.systemLanguage'), ...Object.fromEntries(names) };
  return choices as Readonly<Record<'system' | Language, string>>;
}
