import { languageIds, languages } from './languages.ts';
import type { Language } from './languages.ts';

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
