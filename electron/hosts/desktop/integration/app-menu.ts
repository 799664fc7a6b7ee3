import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import { describeError } from '../../../../shared/errors/app-error.ts';
import type { Language } from '../../../../shared/i18n/languages.ts';
import type { CoreMessages } from '../../../../shared/i18n/messages.ts';
import type { Notices } from '../../../../shared/ipc/contract.ts';
import type { AppWindows } from '../../../../shared/ports/desktop.ts';
import type { Settings } from '../../../../shared/settings/settings.ts';
import type { DesktopCore } from '../desktop-core.ts';
import { desktopLanguage, desktopMessages } from '../desktop-messages.ts';

type Core = Pick<DesktopCore, 'answer' | 'notices' | 'lifetime' | 'log'> & {
  readonly settings: {
    readonly get: () => { readonly appearance: Pick<Settings['appearance'], 'language'> };
  };
};

/** Removes Electron's default menu until the settings are known. */
export function hideDefaultMenu(): void {
  Menu.setApplicationMenu(null);
}

const menuTargets = {
  about: { screen: 'settings', section: 'about' },
  settings: { screen: 'settings' },
  talk: { screen: 'talk' },
  chat: { screen: 'chat' },
  history: { screen: 'history' },
  newChat: { screen: 'chat' },
  guide: { guide: true },
  report: { screen: 'settings', section: 'about', report: true },
} as const satisfies Record<Exclude<AppMenuChoice, 'miniWindow'>, Notices['placeWanted']>;

export class AppMenu {
  readonly #parley: Core;
  readonly #windows: Pick<AppWindows, 'showMain' | 'showMini'>;
  #shownLanguage: Language | undefined;

  constructor(parley: Core, windows: Pick<AppWindows, 'showMain' | 'showMini'>) {
    this.#parley = parley;
    this.#windows = windows;
  }

  open(): void {
    const { notices, lifetime } = this.#parley;
    this.#refresh();
    lifetime.add(
      notices.listen(({ name }) => {
        if (name === 'settingsChanged') this.#refresh();
      }),
    );
  }

  #refresh(): void {
    this.#show().catch((error: unknown) =>
      this.#parley.log.write('warn', `the menu could not be updated: ${describeError(error)}`),
    );
  }

  async #show(): Promise<void> {
    const chosen = this.#parley.settings.get().appearance.language;
    const language = desktopLanguage(chosen);
    if (language === this.#shownLanguage) return;
    this.#shownLanguage = language;
    const { appMenu } = await desktopMessages(chosen);
    if (this.#parley.lifetime.hasEnded || this.#shownLanguage !== language) return;
    const template = appMenuTemplate(appMenu, {
      platform: process.platform,
      isDevelopment: !app.isPackaged,
      choose: (choice) => void this.#choose(choice),
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  }

  async #choose(choice: AppMenuChoice): Promise<void> {
    if (choice === 'miniWindow') {
      this.#windows.showMini();
      return;
    }
    if (choice === 'newChat') await this.#parley.answer('beginChat', undefined);
    this.#windows.showMain();
    this.#parley.notices.post('placeWanted', menuTargets[choice]);
  }
}

/** The menu entries that Parley handles. Electron handles the others, which are system roles. */
export type AppMenuChoice =
  | 'about'
  | 'settings'
  | 'talk'
  | 'chat'
  | 'history'
  | 'newChat'
  | 'guide'
  | 'report'
  | 'miniWindow';

interface Options {
  readonly platform: NodeJS.Platform;
  /** Adds reload and developer tools. */
  readonly isDevelopment: boolean;
  readonly choose: (choice: AppMenuChoice) => void;
}

type Words = CoreMessages['desktop']['appMenu'];
type Item = MenuItemConstructorOptions;

const separator: Item = { type: 'separator' };

/**
 * The menu in the platform's layout: on macOS, the app menu comes first. Without the Edit menu, macOS would have no
 * shortcuts for copy and paste.
 */
export function appMenuTemplate(texts: Words, options: Options): Item[] {
  const isMac = options.platform === 'darwin';
  const words = isMac ? removeMnemonics(texts) : texts;
  return [
    ...(isMac ? [programMenu(words, options)] : []),
    fileMenu(words, options, isMac),
    editMenu(words),
    viewMenu(words, options),
    windowMenu(words, options, isMac),
    // macOS adds its search to the Help menu. On other systems that menu also has About.
    { role: 'help', label: words.help, submenu: helpItems(words, options, isMac) },
  ];
}

function helpItems(words: Words, options: Options, isMac: boolean): Item[] {
  const report = appItem('report', words.report, options);
  const guide = appItem('guide', words.guide, options, 'F1');
  return isMac
    ? [guide, report]
    : [guide, report, separator, appItem('about', words.about, options)];
}

function appItem(
  choice: AppMenuChoice,
  label: string,
  { choose }: Options,
  accelerator?: string,
): Item {
  return {
    id: choice,
    label,
    ...(accelerator === undefined ? {} : { accelerator }),
    click: () => choose(choice),
  };
}

function settings(words: Words, options: Options): Item {
  return appItem('settings', words.settings, options, 'CmdOrCtrl+,');
}

function programMenu(words: Words, options: Options): Item {
  return {
    // macOS shows the program's name whatever the label.
    label: 'Parley',
    submenu: [
      appItem('about', words.about, options),
      separator,
      settings(words, options),
      separator,
      { role: 'services', label: words.services },
      separator,
      { role: 'hide', label: words.hide },
      { role: 'hideOthers', label: words.hideOthers },
      { role: 'unhide', label: words.unhide },
      separator,
      { role: 'quit', label: words.quit },
    ],
  };
}

function fileMenu(words: Words, options: Options, isMac: boolean): Item {
  return {
    label: words.file,
    submenu: [
      appItem('newChat', words.newChat, options, 'CmdOrCtrl+N'),
      separator,
      { role: 'close', label: words.closeWindow },
      ...(isMac
        ? []
        : [settings(words, options), separator, { role: 'quit', label: words.quit } as const]),
    ],
  };
}

function editMenu(words: Words): Item {
  return {
    label: words.edit,
    submenu: [
      { role: 'undo', label: words.undo },
      { role: 'redo', label: words.redo },
      separator,
      { role: 'cut', label: words.cut },
      { role: 'copy', label: words.copy },
      { role: 'paste', label: words.paste },
      { role: 'pasteAndMatchStyle', label: words.pastePlain },
      { role: 'delete', label: words.delete },
      separator,
      { role: 'selectAll', label: words.selectAll },
    ],
  };
}

function viewMenu(words: Words, options: Options): Item {
  const tools: Item[] = [
    separator,
    { role: 'reload', label: words.reload },
    { role: 'toggleDevTools', label: words.devTools },
  ];
  return {
    label: words.view,
    submenu: [
      appItem('talk', words.talk, options, 'CmdOrCtrl+1'),
      appItem('chat', words.chat, options, 'CmdOrCtrl+2'),
      appItem('history', words.history, options, 'CmdOrCtrl+3'),
      separator,
      { role: 'resetZoom', label: words.resetZoom },
      { role: 'zoomIn', label: words.zoomIn },
      // The role's default shortcut is "+", which most keyboards type with Shift.
      { role: 'zoomIn', label: words.zoomIn, visible: false, accelerator: 'CmdOrCtrl+=' },
      { role: 'zoomOut', label: words.zoomOut },
      separator,
      { role: 'togglefullscreen', label: words.fullScreen },
      ...(options.isDevelopment ? tools : []),
    ],
  };
}

function windowMenu(words: Words, options: Options, isMac: boolean): Item {
  return {
    label: words.window,
    submenu: [
      { role: 'minimize', label: words.minimize },
      ...(isMac
        ? ([
            { role: 'zoom', label: words.zoom },
            { role: 'front', label: words.front },
          ] as const)
        : []),
      separator,
      appItem('miniWindow', words.miniWindow, options),
    ],
  };
}

/** Removes mnemonics, which macOS does not use. Chinese ones are in brackets, because no word contains the letter. */
function removeMnemonics({ file, edit, view, window, help, ...others }: Words): Words {
  return {
    ...others,
    file: removeMnemonic(file),
    edit: removeMnemonic(edit),
    view: removeMnemonic(view),
    window: removeMnemonic(window),
    help: removeMnemonic(help),
  };
}

function removeMnemonic(label: string): string {
  return label.replaceAll(/\(&\w\)|&/gu, '');
}
