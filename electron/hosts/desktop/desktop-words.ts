import { app } from 'electron';
import { type Language, languages, resolveLanguage } from '../../../shared/i18n/languages.ts';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { Settings } from '../../../shared/settings/settings.ts';

type LanguageChoice = Settings['appearance']['language'];

/** The language that is chosen, or else the system's. */
export function desktopLanguage(chosen: LanguageChoice): Language {
  return resolveLanguage(chosen, [app.getLocale()]);
}

/** What is said outside the page, in that language: in menus, dialogs and notifications. */
export async function desktopWords(chosen: LanguageChoice): Promise<CoreMessages['desktop']> {
  const { desktop } = await languages[desktopLanguage(chosen)].core();
  return desktop;
}
