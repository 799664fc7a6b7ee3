import type { LanguageEntry } from '../language-entry.ts';

export const english: LanguageEntry = {
  ownName: 'English',
  tag: 'en',
  locales: /^en\b/,
  page: async () => (await import('./page-messages.ts')).englishPage,
  core: async () => (await import('./core-messages.ts')).englishCore,
};
