import { app } from 'electron';
import { type Language, languages, resolveLanguage } from '../../../shared/i18n/languages.ts';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { Settings } from '../../../shared/settings/settings.ts';

type LanguageChoice = Settings['appearance']['language'];

/** The language that the user chose, or the system's. */
export function desktopLanguage(choice: LanguageChoice): Language {
  return resolveLanguage(choice, [app.getLocale()]);
}

/** Texts of menus, dialogs and notifications, in the language that the user chose. */
export async function desktopMessages(choice: LanguageChoice): Promise<CoreMessages['desktop']> {
  const { desktop } = await languages[desktopLanguage(choice)].core();
  return desktop;
}

/** Texts in the system's language, because the desktop shows them in its own settings. */
export function systemMessages(): Promise<CoreMessages> {
  return languages[desktopLanguage('system')].core();
}
