import { app, BrowserWindow, dialog } from 'electron';
import { fillMessage } from '../../../shared/i18n/fill-message.ts';
import { languages } from '../../../shared/i18n/languages.ts';
import { resolveLanguage } from '../../../shared/i18n/resolve-language.ts';
import type { Confirmation } from '../../ports/confirmation.ts';

/** In a box of the system's own, where no page can press the button. */
export const confirmInBox: Confirmation = {
  newServer: async (server, chosen) => {
    const { desktop } = await languages[resolveLanguage(chosen, [app.getLocale()])].core();
    const { newServer } = desktop;
    const box = {
      type: 'question',
      title: 'Parley',
      message: fillMessage(newServer.question, { server }),
      detail: newServer.detail,
      buttons: [newServer.use, desktop.cancel],
      // Whoever presses Enter without reading has said no.
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    } as const;
    const asking = BrowserWindow.getFocusedWindow();
    const options = { ...box, buttons: [...box.buttons] };
    const { response } = await (asking === null
      ? dialog.showMessageBox(options)
      : dialog.showMessageBox(asking, options));
    return response === 0;
  },
};
