import type { Language } from '../../shared/i18n/languages.ts';

/**
 * The sample's text in a language. Pseudo languages get Chinese, so that any plain Latin text is Parley's
 * own.
 */
export function inLanguage<Text>(
  texts: { readonly en: Text; readonly zh: Text },
  language: Language,
): Text {
  return language === 'en' ? texts.en : texts.zh;
}
