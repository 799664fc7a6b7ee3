import type { Language } from '../../shared/i18n/languages.ts';
import { resolveLanguage } from '../../shared/i18n/resolve-language.ts';
import type { Settings } from '../../shared/settings/settings.ts';

/** The language that is spoken with the model: the system's own where none was chosen, as far as Parley has it. */
export function spokenLanguage(chosen: Settings['appearance']['language']): Language {
  // Known to Node as well, where there is no Electron to ask.
  return resolveLanguage(chosen, [Intl.DateTimeFormat().resolvedOptions().locale]);
}
