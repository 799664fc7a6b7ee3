import type { CoreMessages, PageMessages } from './messages.ts';

/** One language of Parley. Its texts are loaded by whoever is about to show them, and by nobody else. */
interface LanguageEntry {
  /** As its speakers call it: whoever reads nothing else finds it. */
  readonly ownName: string;
  /** For screen readers and fonts, by BCP 47. */
  readonly tag: string;
  /** Which of a system's locales it serves. */
  readonly locales: RegExp;
  readonly page: () => Promise<PageMessages>;
  readonly core: () => Promise<CoreMessages>;
}

const language = (entry: LanguageEntry): LanguageEntry => entry;

/** Every language that Parley is written in, in the order in which they are offered. */
export const languages = {
  en: language({
    ownName: 'English',
    tag: 'en',
    locales: /^en\b/,
    page: async () => (await import('./en/page-messages.ts')).englishPage,
    core: async () => (await import('./en/core-messages.ts')).englishCore,
  }),
  zh: language({
    ownName: '中文',
    tag: 'zh-CN',
    locales: /^zh\b/,
    page: async () => (await import('./zh/page-messages.ts')).chinesePage,
    core: async () => (await import('./zh/core-messages.ts')).chineseCore,
  }),
};

/** A language by its BCP 47 subtag, which numbers and dates are written by, too. */
export type Language = keyof typeof languages;

export const languageIds = Object.keys(languages) as readonly Language[];

/** Where nobody's language is among them. */
const fallback: Language = 'en';

/** The chosen one, or the first of the system's that Parley is written in. */
export function resolveLanguage(chosen: 'system' | Language, locales: readonly string[]): Language {
  if (chosen !== 'system') return chosen;
  for (const locale of locales) {
    const found = languageIds.find((id) => languages[id].locales.test(locale));
    if (found !== undefined) return found;
  }
  return fallback;
}
