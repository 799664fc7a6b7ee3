import { join } from 'node:path';
import { nativeImage, type NativeImage, nativeTheme, Tray } from 'electron';
import { describeError } from '../../../shared/harmless-text.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import type { NoticeName } from '../../../shared/ipc/contract.ts';
import type { DesktopSession } from '../../../shared/ports/desktop.ts';
import type { DesktopSettings } from '../../../shared/settings/app-settings.ts';
import type { Settings } from '../../../shared/settings/settings.ts';
import { beginsMuted } from '../../../shared/settings/talking-settings.ts';
import { resourcesFolder } from '../../app/resources.ts';
import type { ChatController } from '../../chat/chat-controller.ts';
import type { DesktopCore } from './desktop-core.ts';
import { desktopLanguage, desktopWords } from './desktop-words.ts';
import { type TrayChoices, type TrayIconName, trayModel, trayPickers } from './tray-items.ts';
import {
  defaultTrayClick,
  TrayActions,
  TrayClicks,
  trayMenu,
  type TrayWindows,
} from './tray-menu.ts';

/** After each of these another icon or menu may be due. */
const refreshingNotices: ReadonlySet<NoticeName> = new Set<NoticeName>([
  'talkKeeping',
  'talkBegan',
  'talkState',
  'talkControls',
  'talkDevices',
  'settingsChanged',
]);

/** By then the start is over; and until it has been seen that it can, nothing here asks for devices (decision 31). */
const devicesAfterMs = 2000;

type Core = Pick<DesktopCore, 'answer' | 'notices' | 'lifetime' | 'log' | 'clock'> & {
  readonly chats: () => Promise<Pick<ChatController, 'list'>>;
  readonly sound: Pick<DesktopCore['sound'], 'devices'>;
  readonly talk: Pick<DesktopCore['talk'], 'view'>;
  readonly settings: {
    readonly get: () => Pick<Settings, 'audio' | 'talking' | 'desktop'> & {
      readonly appearance: Pick<Settings['appearance'], 'language'>;
    };
  };
};

type Session = Pick<DesktopSession, 'onTrayShown'>;

/** The icon in the system's tray. Where a system has none, nothing depends on it. */
export function openTray(parley: Core, windows: TrayWindows, session: Session): void {
  try {
    new DesktopTray(parley, windows, session).begin();
  } catch (error) {
    logMissing(parley, error);
  }
}

function logMissing({ log }: Core, error: unknown): void {
  log.write('warn', `there is no tray here: ${describeError(error)}`);
}

class DesktopTray {
  readonly #parley: Core;
  readonly #session: Session;
  readonly #actions: TrayActions;
  readonly #clicks: TrayClicks;
  #tray: Tray;
  #shown = '';
  #lists: Pick<TrayChoices, 'devices' | 'chats'> = { devices: [], chats: [] };

  constructor(parley: Core, windows: TrayWindows, session: Session) {
    this.#parley = parley;
    this.#session = session;
    this.#actions = new TrayActions(parley, windows);
    this.#clicks = new TrayClicks({
      choice: (click) => {
        const { trayClick, trayDoubleClick } = parley.settings.get().desktop;
        const chosen = click === 'single' ? trayClick : trayDoubleClick;
        return defaultTrayClick(chosen, process.platform);
      },
      run: (click) => this.#actions.click(click),
      after: (milliseconds, due) => parley.clock.after(milliseconds, due),
    });
    this.#tray = this.#open();
  }

  begin(): void {
    const { notices, lifetime, clock } = this.#parley;
    this.#refresh();
    void this.#readChats();
    // Not every panel says when it shows the menu, and the start is for what a person waits for.
    lifetime.add(clock.after(devicesAfterMs, () => void this.#readDevices()));
    lifetime.add(
      notices.listen(({ name, payload }) => {
        if (name === 'chatList') this.#lists = { ...this.#lists, chats: payload };
        else if (name === 'soundDevicesChanged') this.#lists = { ...this.#lists, devices: payload };
        else if (!refreshingNotices.has(name)) return;
        this.#refresh();
        if (name === 'talkDevices') void this.#readDevices();
      }),
    );
    // An icon that nobody could show is not shown to who comes later, as a panel after the login does.
    lifetime.add(
      this.#session.onTrayShown((shown) => {
        if (shown) this.#reopen();
      }),
    );
    const themeChanged = (): void => {
      this.#shown = '';
      this.#refresh();
    };
    nativeTheme.on('updated', themeChanged);
    lifetime.add(() => {
      nativeTheme.off('updated', themeChanged);
      this.#clicks.end();
      this.#tray.destroy();
    });
  }

  #open(): Tray {
    const tray = new Tray(trayIcon('ready', this.#parley.settings.get().desktop.trayPanel));
    tray.on('click', this.#clicks.click);
    tray.on('double-click', this.#clicks.doubleClick);
    return tray;
  }

  #reopen(): void {
    this.#tray.destroy();
    this.#tray = this.#open();
    this.#shown = '';
    this.#refresh();
  }

  #refresh(): void {
    this.#show().catch((error: unknown) => logMissing(this.#parley, error));
  }

  async #show(): Promise<void> {
    const { talk, settings, lifetime } = this.#parley;
    const language = this.#language();
    const words = await desktopWords(settings.get().appearance.language);
    // Meanwhile it may have become another one, which is shown by its own notice.
    if (lifetime.hasEnded || language !== this.#language()) return;
    const model = trayModel(talk.view, words, beginsMuted(settings.get().talking));
    const pickers = trayPickers({ settings: settings.get(), ...this.#lists }, words);
    const { trayPanel, trayClick } = settings.get().desktop;
    const serialized = JSON.stringify([model, pickers, trayPanel, trayClick]);
    if (serialized === this.#shown) return;
    this.#shown = serialized;
    const tray = this.#tray;
    tray.setImage(trayIcon(model.icon, trayPanel));
    tray.setToolTip(`Parley · ${model.status}`);
    const menu = trayMenu({ ...model, pickers }, this.#actions);
    menu.on('menu-will-show', () => void this.#readDevices());
    if (process.platform !== 'darwin' || defaultTrayClick(trayClick, 'darwin') === 'menu') {
      tray.setContextMenu(menu);
      return;
    }
    // With a menu of its own macOS would open it for every click.
    tray.setContextMenu(null);
    tray.removeAllListeners('right-click');
    tray.on('right-click', () => tray.popUpContextMenu(menu));
  }

  async #readChats(): Promise<void> {
    const { list } = await this.#parley.chats();
    this.#lists = { ...this.#lists, chats: list() };
    this.#refresh();
  }

  /** Nobody waits for it, and where none can be listed those that were known stay. */
  async #readDevices(): Promise<void> {
    const devices = await this.#parley.sound.devices();
    if (!devices.ok) return;
    this.#lists = { ...this.#lists, devices: devices.value };
    this.#refresh();
  }

  #language(): Language {
    return desktopLanguage(this.#parley.settings.get().appearance.language);
  }
}

type Panel = DesktopSettings['trayPanel'];

/** Inks for a light panel, for a dark one, or those that are seen on both. */
type TrayInks = 'on-light' | 'on-dark' | 'on-both';

/** macOS inks a template by itself. Of Linux's panels nobody says whether they are light or dark. */
export function trayInksOf(
  panel: Panel,
  platform: NodeJS.Platform,
  darkSystem: boolean,
): TrayInks | 'template' {
  if (platform === 'darwin') return 'template';
  if (panel !== 'system') return panel === 'dark' ? 'on-dark' : 'on-light';
  if (platform !== 'win32') return 'on-both';
  return darkSystem ? 'on-dark' : 'on-light';
}

/** The picture of a sign, for the panel that it stands on. */
function trayIcon(sign: TrayIconName, panel: Panel): NativeImage {
  const { platform } = process;
  const inks = trayInksOf(panel, platform, nativeTheme.shouldUseDarkColorsForSystemIntegratedUI);
  const system = platform === 'darwin' || platform === 'win32' ? platform : 'linux';
  const folder = inks === 'template' ? system : join(system, inks);
  // The larger ones beside it, `@2x` and the like, are found by their names.
  const icon = nativeImage.createFromPath(join(resourcesFolder('tray'), folder, `${sign}.png`));
  if (inks === 'template') icon.setTemplateImage(true);
  return icon;
}
