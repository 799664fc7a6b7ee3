import { chinese } from './chinese.ts';
import { english } from './english.ts';
import type { Words } from './words.ts';

/** The first of the person's languages that Parley speaks, else English. */
export function wordsFor(languages: readonly string[]): Words {
  const first = languages.find((language) => /^(en|zh)\b/.test(language));
  return first?.startsWith('zh') === true ? chinese : english;
}
