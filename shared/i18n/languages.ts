import type { CoreMessages, PageMessages } from './messages.ts';

/** A language; its texts are loaded on demand. */
interface LanguageEntry {
  /** In the language itself, so that its speakers recognize it. */
  readonly ownName: string;
  /** BCP 47 tag for screen readers and fonts. */
  readonly tag: string;
  /** Matches the system locales that it serves. */
  readonly locales: RegExp;
  readonly page: () => Promise<PageMessages>;
  readonly core: () => Promise<CoreMessages>;
}

const language = (entry: LanguageEntry): LanguageEntry => entry;

/** In the order in which they are offered. */
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

/** A BCP 47 subtag, also used to format numbers and dates. */
export type Language = keyof typeof languages;

export const languageIds = Object.keys(languages) as readonly Language[];

/** Used if no locale of the system matches. */
const fallback: Language = 'en';

/** The chosen language, or the first supported one of the system's. */
export function resolveLanguage(chosen: 'system' | Language, locales: readonly string[]): Language {
  if (chosen !== 'system') return chosen;
  for (const locale of locales) {
    const found = languageIds.find((id) => languages[id].locales.test(locale));
    if (found !== undefined) return found;
  }
  return fallback;
}
