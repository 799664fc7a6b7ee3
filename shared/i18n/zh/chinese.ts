import type { LanguageEntry } from '../language-entry.ts';

export const chinese: LanguageEntry = {
  ownName: '中文',
  tag: 'zh-CN',
  locales: /^zh\b/,
  page: async () => (await import('./page-messages.ts')).chinesePage,
  core: async () => (await import('./core-messages.ts')).chineseCore,
};
