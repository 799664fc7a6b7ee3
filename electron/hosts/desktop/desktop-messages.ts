import { app } from 'electron';
import { type Language, languages, resolveLanguage } from '../../../shared/i18n/languages.ts';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { Settings } from '../../../shared/settings/settings.ts';

type LanguageChoice = Settings['appearance']['language'];

/** The chosen language, or the system's. */
export function desktopLanguage(chosen: LanguageChoice): Language {
  return resolveLanguage(chosen, [app.getLocale()]);
}

/** Texts of menus, dialogs and notifications in that language. */
export async function desktopMessages(chosen: LanguageChoice): Promise<CoreMessages['desktop']> {
  const { desktop } = await languages[desktopLanguage(chosen)].core();
  return desktop;
}

/** In the system's language, for texts that the desktop shows in its own settings. */
export function systemMessages(): Promise<CoreMessages> {
  return languages[desktopLanguage('system')].core();
}
