import { app } from 'electron';
import { fillMessage } from '../../../shared/i18n/fill-message.ts';
import { languages } from '../../../shared/i18n/languages.ts';
import { resolveLanguage } from '../../../shared/i18n/resolve-language.ts';
import { showFailure } from './show-failure.ts';

/** Says why Parley does not open. The exit code is that of a start that failed. */
export async function sayUnwritableConfig(folder: string): Promise<number> {
  await app.whenReady();
  const { desktop } = await languages[resolveLanguage('system', [app.getLocale()])].core();
  await showFailure(fillMessage(desktop.configUnwritable, { folder }));
  return 1;
}
