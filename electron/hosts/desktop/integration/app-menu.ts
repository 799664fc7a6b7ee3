import { app, Menu } from 'electron';
import { describeError } from '../../../../shared/harmless-text.ts';
import { type Language, languages, resolveLanguage } from '../../../../shared/i18n/languages.ts';
import type { Settings } from '../../../../shared/settings/settings.ts';
import type { Parley } from '../../../app/compose-parley.ts';
import { type AppMenuChoice, appMenuTemplate } from './app-menu-template.ts';

type Core = Pick<Parley, 'answer' | 'notices' | 'lifetime' | 'log'> & {
  readonly settings: {
    readonly get: () => { readonly appearance: Pick<Settings['appearance'], 'language'> };
  };
};

interface MenuWindows {
  readonly showMain: () => void;
  readonly showMini: () => void;
}

/** Before the settings are known there is none, rather than Electron's own with its links. */
export function hideDefaultMenu(): void {
  Menu.setApplicationMenu(null);
}

/** Parley's own menu in place of Electron's, in the language of the settings. */
export function openAppMenu(parley: Core, windows: MenuWindows): void {
  const { answer, notices, settings, lifetime, log } = parley;
  const go = (place: Parameters<typeof notices.post<'placeWanted'>>[1]): void => {
    windows.showMain();
    notices.post('placeWanted', place);
  };
  const choices: Readonly<Record<AppMenuChoice, () => void>> = {
    about: () => {
      go({ screen: 'settings', section: 'about' });
    },
    settings: () => {
      go({ screen: 'settings' });
    },
    talk: () => {
      go({ screen: 'talk' });
    },
    chat: () => {
      go({ screen: 'chat' });
    },
    history: () => {
      go({ screen: 'history' });
    },
    newChat: () => {
      void answer('beginChat', undefined).then(() => {
        go({ screen: 'chat' });
        return undefined;
      });
    },
    guide: () => {
      go({ guide: true });
    },
    report: () => {
      go({ screen: 'settings', section: 'about', report: true });
    },
    miniWindow: windows.showMini,
  };
  let shown: Language | undefined;
  const show = async (): Promise<void> => {
    const language = resolveLanguage(settings.get().appearance.language, [app.getLocale()]);
    if (language === shown) return;
    shown = language;
    const { desktop } = await languages[language].core();
    if (lifetime.hasEnded || shown !== language) return;
    const template = appMenuTemplate(desktop.appMenu, {
      platform: process.platform,
      developing: !app.isPackaged,
      choose: (choice) => {
        choices[choice]();
      },
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  };
  const refresh = (): void => {
    show().catch((error: unknown) => {
      log.write('warn', `the menu was not changed: ${describeError(error)}`);
    });
  };
  refresh();
  lifetime.add(
    notices.listen(({ name }) => {
      if (name === 'settingsChanged') refresh();
    }),
  );
}
