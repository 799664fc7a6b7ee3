import { app, BrowserWindow, dialog } from 'electron';
import { fillMessage } from '../../../shared/i18n/fill-message.ts';
import { languages } from '../../../shared/i18n/languages.ts';
import { resolveLanguage } from '../../../shared/i18n/resolve-language.ts';
import type { Confirmation } from '../../ports/confirmation.ts';

/** In a box of the system's own, where no page can press the button. */
export const confirmInBox: Confirmation = {
  newServer: asking('newServer'),
  newProxy: asking('newProxy'),
};

function asking(what: keyof Confirmation): Confirmation['newServer'] {
  return async (server, chosen) => {
    const { desktop } = await languages[resolveLanguage(chosen, [app.getLocale()])].core();
    const words = desktop[what];
    const box = {
      type: 'question',
      title: 'Parley',
      message: fillMessage(words.question, { server }),
      detail: words.detail,
      buttons: [words.use, desktop.cancel],
      // Whoever presses Enter without reading has said no.
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    } as const;
    const window = BrowserWindow.getFocusedWindow();
    const options = { ...box, buttons: [...box.buttons] };
    const { response } = await (window === null
      ? dialog.showMessageBox(options)
      : dialog.showMessageBox(window, options));
    return response === 0;
  };
}
