export type UiLanguage = 'en' | 'zh';

/** The first of the person's languages that Parley speaks, else English. */
export function chooseLanguage(languages: readonly string[]): UiLanguage {
  const first = languages.find((language) => /^(en|zh)\b/.test(language));
  return first?.startsWith('zh') === true ? 'zh' : 'en';
}
