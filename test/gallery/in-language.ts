import type { Language } from '../../shared/i18n/languages.ts';

/**
 * What people and models say in the samples. In a language that these lack it is Chinese: what still
 * stands there in bare Latin letters is then Parley's own.
 */
export function inLanguage<Text>(
  texts: { readonly en: Text; readonly zh: Text },
  language: Language,
): Text {
  return language === 'en' ? texts.en : texts.zh;
}
