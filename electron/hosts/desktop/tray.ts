import { join } from 'node:path';
import { nativeImage, type NativeImage, nativeTheme, Tray } from 'electron';
import { describeError } from '../../../shared/errors/app-error.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import type { NoticeName } from '../../../shared/ipc/contract.ts';
import type { ModelFilesState } from '../../../shared/model/local-model-state.ts';
import type { DesktopSession } from '../../../shared/ports/desktop.ts';
import { type DesktopSettings, startsMuted } from '../../../shared/settings/app-settings.ts';
import type { Settings } from '../../../shared/settings/settings.ts';
import { resourcesFolder } from '../../app/resources.ts';
import type { ChatController } from '../../chat/chat-controller.ts';
import type { DesktopCore } from './desktop-core.ts';
import { desktopLanguage, desktopMessages } from './desktop-messages.ts';
import { type TrayChoices, type TrayIconName, trayModel, trayPickers } from './tray-items.ts';
import {
  defaultTrayClick,
  TrayActions,
  TrayClicks,
  trayMenu,
  type TrayWindows,
} from './tray-menu.ts';

/** Notices that can change the icon or the menu. */
const refreshingNotices: ReadonlySet<NoticeName> = new Set<NoticeName>([
  'talkStorage',
  'talkBegan',
  'talkState',
  'talkControls',
  'talkDevices',
  'settingsChanged',
]);

/**
 * The tray first lists the devices this long after it opened. By then the start has finished, and Parley knows whether
 * listing them crashes (decision 31).
 */
const devicesAfterMs = 2000;

/** The least time between two refreshes for a download, which reports more often than a menu may be replaced. */
const minRefreshMs = 1000;

type Core = Pick<DesktopCore, 'answer' | 'notices' | 'lifetime' | 'log' | 'clock'> & {
  readonly chats: () => Promise<Pick<ChatController, 'list'>>;
  readonly sound: Pick<DesktopCore['sound'], 'devices'>;
  readonly talk: Pick<DesktopCore['talk'], 'view'>;
  readonly settings: {
    readonly get: () => Pick<Settings, 'audio' | 'talking' | 'desktop' | 'cursor'> & {
      readonly appearance: Pick<Settings['appearance'], 'language'>;
    };
  };
};

type Session = Pick<DesktopSession, 'onTrayChange'>;

/** Opens the tray icon. Parley works without one. */
export function openTray(parley: Core, windows: TrayWindows, session: Session): void {
  try {
    new DesktopTray(parley, windows, session).begin();
  } catch (error) {
    logMissing(parley, error);
  }
}

function logMissing({ log }: Core, error: unknown): void {
  log.write('warn', `the tray icon could not be created: ${describeError(error)}`);
}

class DesktopTray {
  readonly #parley: Core;
  readonly #session: Session;
  readonly #actions: TrayActions;
  readonly #clicks: TrayClicks;
  #tray: Tray;
  #shownContent = '';
  #files: ModelFilesState = { kind: 'unknown' };
  #stopWaiting: (() => void) | undefined;
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
    // Some panels do not report that the menu opens, so devices are also listed once, when the start is over.
    lifetime.add(clock.after(devicesAfterMs, () => void this.#readDevices()));
    lifetime.add(
      notices.listen(({ name, payload }) => {
        if (name === 'modelChanged') {
          this.#files = payload.files;
          this.#refreshLater();
          return;
        }
        if (name === 'chatList') this.#lists = { ...this.#lists, chats: payload };
        else if (name === 'soundDevicesChanged') this.#lists = { ...this.#lists, devices: payload };
        else if (!refreshingNotices.has(name)) return;
        this.#refresh();
        if (name === 'talkDevices') void this.#readDevices();
      }),
    );
    // A panel shows only icons that were created after it started.
    lifetime.add(
      this.#session.onTrayChange((shown) => {
        if (shown) this.#reopen();
      }),
    );
    const onThemeChange = (): void => {
      this.#shownContent = '';
      this.#refresh();
    };
    nativeTheme.on('updated', onThemeChange);
    lifetime.add(() => {
      nativeTheme.off('updated', onThemeChange);
      this.#clicks.end();
      this.#stopWaiting?.();
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
    this.#shownContent = '';
    this.#refresh();
  }

  /** Refreshes at once, and then once a second at most. */
  #refreshLater(): void {
    if (this.#stopWaiting !== undefined) return;
    const shownFiles = this.#files;
    this.#refresh();
    this.#stopWaiting = this.#parley.clock.after(minRefreshMs, () => {
      this.#stopWaiting = undefined;
      if (this.#files !== shownFiles) this.#refreshLater();
    });
  }

  #refresh(): void {
    this.#show().catch((error: unknown) => logMissing(this.#parley, error));
  }

  async #show(): Promise<void> {
    const { talk, settings, lifetime } = this.#parley;
    const language = this.#language();
    const words = await desktopMessages(settings.get().appearance.language);
    // The language may have changed meanwhile. The notice about that refreshes the menu again.
    if (lifetime.hasEnded || language !== this.#language()) return;
    const isMuted = startsMuted(settings.get().talking);
    const { enabled } = settings.get().cursor;
    const model = trayModel(talk.view, words, isMuted, this.#files, enabled);
    const pickers = trayPickers({ settings: settings.get(), ...this.#lists }, words);
    const { trayPanel, trayClick } = settings.get().desktop;
    const serialized = JSON.stringify([model, pickers, trayPanel, trayClick]);
    if (serialized === this.#shownContent) return;
    this.#shownContent = serialized;
    const tray = this.#tray;
    tray.setImage(trayIcon(model.icon, trayPanel));
    tray.setToolTip(`Parley · ${model.status}`);
    const menu = trayMenu({ ...model, pickers }, this.#actions);
    menu.on('menu-will-show', () => void this.#readDevices());
    if (process.platform !== 'darwin' || defaultTrayClick(trayClick, 'darwin') === 'menu') {
      tray.setContextMenu(menu);
      return;
    }
    // macOS would open an attached menu on every click.
    tray.setContextMenu(null);
    tray.removeAllListeners('right-click');
    tray.on('right-click', () => tray.popUpContextMenu(menu));
  }

  async #readChats(): Promise<void> {
    const { list } = await this.#parley.chats();
    this.#lists = { ...this.#lists, chats: list() };
    this.#refresh();
  }

  /** Lists the devices for the submenus. If that fails, the earlier list stays. */
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

/** Icon colours for a light panel, a dark one, or both. */
type TrayInks = 'on-light' | 'on-dark' | 'on-both';

/**
 * Chooses the colours of the icon. macOS colours template images itself. Linux does not report whether a panel is light or
 * dark.
 */
export function chooseTrayInks(
  panel: Panel,
  platform: NodeJS.Platform,
  isDarkSystem: boolean,
): TrayInks | 'template' {
  if (platform === 'darwin') return 'template';
  if (panel !== 'system') return panel === 'dark' ? 'on-dark' : 'on-light';
  if (platform !== 'win32') return 'on-both';
  return isDarkSystem ? 'on-dark' : 'on-light';
}

function trayIcon(name: TrayIconName, panel: Panel): NativeImage {
  const { platform } = process;
  const inks = chooseTrayInks(
    panel,
    platform,
    nativeTheme.shouldUseDarkColorsForSystemIntegratedUI,
  );
  const system = platform === 'darwin' || platform === 'win32' ? platform : 'linux';
  const folder = inks === 'template' ? system : join(system, inks);
  // Electron finds larger sizes (`@2x`) by their names.
  const icon = nativeImage.createFromPath(join(resourcesFolder('tray'), folder, `${name}.png`));
  if (inks === 'template') icon.setTemplateImage(true);
  return icon;
}
