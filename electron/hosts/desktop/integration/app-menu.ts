import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import { describeError } from '../../../../shared/sanitize-text.ts';
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

/** The application menu, in the language of the settings. */
export class AppMenu {
  readonly #parley: Core;
  readonly #windows: Pick<AppWindows, 'showMain' | 'showMini'>;
  #shown: Language | undefined;

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
    if (language === this.#shown) return;
    this.#shown = language;
    const { appMenu } = await desktopMessages(chosen);
    if (this.#parley.lifetime.hasEnded || this.#shown !== language) return;
    const template = appMenuTemplate(appMenu, {
      platform: process.platform,
      developing: !app.isPackaged,
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

/** Menu entries that Parley handles; the others are system roles. */
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
  readonly developing: boolean;
  readonly choose: (choice: AppMenuChoice) => void;
}

type Words = CoreMessages['desktop']['appMenu'];
type Item = MenuItemConstructorOptions;

const line: Item = { type: 'separator' };

/**
 * The menu in the platform's layout: with the app menu first on macOS. The Edit roles enable the shortcuts for
 * copy and paste.
 */
export function appMenuTemplate(texts: Words, options: Options): Item[] {
  const mac = options.platform === 'darwin';
  const words = mac ? removeMnemonics(texts) : texts;
  return [
    ...(mac ? [programMenu(words, options)] : []),
    fileMenu(words, options, mac),
    editMenu(words),
    viewMenu(words, options),
    windowMenu(words, options, mac),
    // macOS adds its search here; on other systems it also has About.
    { role: 'help', label: words.help, submenu: helpItems(words, options, mac) },
  ];
}

function helpItems(words: Words, options: Options, mac: boolean): Item[] {
  const report = appItem('report', words.report, options);
  const guide = appItem('guide', words.guide, options, 'F1');
  return mac ? [guide, report] : [guide, report, line, appItem('about', words.about, options)];
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
    // macOS always shows the program's name here.
    label: 'Parley',
    submenu: [
      appItem('about', words.about, options),
      line,
      settings(words, options),
      line,
      { role: 'services', label: words.services },
      line,
      { role: 'hide', label: words.hide },
      { role: 'hideOthers', label: words.hideOthers },
      { role: 'unhide', label: words.unhide },
      line,
      { role: 'quit', label: words.quit },
    ],
  };
}

function fileMenu(words: Words, options: Options, mac: boolean): Item {
  return {
    label: words.file,
    submenu: [
      appItem('newChat', words.newChat, options, 'CmdOrCtrl+N'),
      line,
      { role: 'close', label: words.closeWindow },
      ...(mac
        ? []
        : [settings(words, options), line, { role: 'quit', label: words.quit } as const]),
    ],
  };
}

function editMenu(words: Words): Item {
  return {
    label: words.edit,
    submenu: [
      { role: 'undo', label: words.undo },
      { role: 'redo', label: words.redo },
      line,
      { role: 'cut', label: words.cut },
      { role: 'copy', label: words.copy },
      { role: 'paste', label: words.paste },
      { role: 'pasteAndMatchStyle', label: words.pastePlain },
      { role: 'delete', label: words.delete },
      line,
      { role: 'selectAll', label: words.selectAll },
    ],
  };
}

function viewMenu(words: Words, options: Options): Item {
  const tools: Item[] = [
    line,
    { role: 'reload', label: words.reload },
    { role: 'toggleDevTools', label: words.devTools },
  ];
  return {
    label: words.view,
    submenu: [
      appItem('talk', words.talk, options, 'CmdOrCtrl+1'),
      appItem('chat', words.chat, options, 'CmdOrCtrl+2'),
      appItem('history', words.history, options, 'CmdOrCtrl+3'),
      line,
      { role: 'resetZoom', label: words.resetZoom },
      { role: 'zoomIn', label: words.zoomIn },
      // The role's default shortcut is "+", which most keyboards type with Shift.
      { role: 'zoomIn', label: words.zoomIn, visible: false, accelerator: 'CmdOrCtrl+=' },
      { role: 'zoomOut', label: words.zoomOut },
      line,
      { role: 'togglefullscreen', label: words.fullScreen },
      ...(options.developing ? tools : []),
    ],
  };
}

function windowMenu(words: Words, options: Options, mac: boolean): Item {
  return {
    label: words.window,
    submenu: [
      { role: 'minimize', label: words.minimize },
      ...(mac
        ? ([
            { role: 'zoom', label: words.zoom },
            { role: 'front', label: words.front },
          ] as const)
        : []),
      line,
      appItem('miniWindow', words.miniWindow, options),
    ],
  };
}

/** Removes mnemonics. Chinese ones are in brackets, because no word contains the letter. */
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
