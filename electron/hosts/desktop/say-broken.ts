import { app, dialog } from 'electron';
import { languages } from '../../../shared/i18n/languages.ts';
import type { Language } from '../../../shared/i18n/languages.ts';

/**
 * Where no page can say it any more, the system does: the window's page keeps breaking, and what can
 * be done. Nothing waits for it.
 */
export async function sayBroken(language: Language, again: () => void): Promise<void> {
  const { desktop } = await languages[language].core();
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Parley',
    message: desktop.pageBroken,
    detail: desktop.pageBrokenMore,
    buttons: [desktop.tryAgain, desktop.quit],
    defaultId: 0,
    cancelId: 0,
  });
  if (response === 0) again();
  else app.quit();
}
