import { join } from 'node:path';
import { nativeImage, type NativeImage, nativeTheme, Tray } from 'electron';
import { describeError } from '../../../shared/sanitize-text.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import type { NoticeName } from '../../../shared/ipc/contract.ts';
import type { ModelFilesState } from '../../../shared/model/local-model.ts';
import type { DesktopSession } from '../../../shared/ports/desktop.ts';
import type { DesktopSettings } from '../../../shared/settings/app-settings.ts';
import type { Settings } from '../../../shared/settings/settings.ts';
import { startsMuted } from '../../../shared/settings/talking-settings.ts';
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
  'talkKeeping',
  'talkBegan',
  'talkState',
  'talkControls',
  'talkDevices',
  'settingsChanged',
]);

/**
 * Waits for the start to finish. Devices are not listed before Parley knows that this does not crash (decision
 * 31).
 */
const devicesAfterMs = 2000;

/** A download reports more often than a menu may be replaced. */
const modelPaceMs = 1000;

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
  #shown = '';
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
    // Not every panel reports when the menu opens, and the start has more urgent work.
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
    // A panel that starts later does not show an existing icon.
    lifetime.add(
      this.#session.onTrayChange((shown) => {
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
    this.#shown = '';
    this.#refresh();
  }

  /** At once, and then once a second at most. */
  #refreshLater(): void {
    if (this.#stopWaiting !== undefined) return;
    const shown = this.#files;
    this.#refresh();
    this.#stopWaiting = this.#parley.clock.after(modelPaceMs, () => {
      this.#stopWaiting = undefined;
      if (this.#files !== shown) this.#refreshLater();
    });
  }

  #refresh(): void {
    this.#show().catch((error: unknown) => logMissing(this.#parley, error));
  }

  async #show(): Promise<void> {
    const { talk, settings, lifetime } = this.#parley;
    const language = this.#language();
    const words = await desktopMessages(settings.get().appearance.language);
    // The language may have changed meanwhile; its notice refreshes again.
    if (lifetime.hasEnded || language !== this.#language()) return;
    const muted = startsMuted(settings.get().talking);
    const { enabled } = settings.get().cursor;
    const model = trayModel(talk.view, words, muted, this.#files, enabled);
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

  /** On failure, the known devices stay. */
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

/** macOS colours template images itself. Linux does not report whether a panel is light or dark. */
export function chooseTrayInks(
  panel: Panel,
  platform: NodeJS.Platform,
  darkSystem: boolean,
): TrayInks | 'template' {
  if (platform === 'darwin') return 'template';
  if (panel !== 'system') return panel === 'dark' ? 'on-dark' : 'on-light';
  if (platform !== 'win32') return 'on-both';
  return darkSystem ? 'on-dark' : 'on-light';
}

/** The icon's image for this panel. */
function trayIcon(sign: TrayIconName, panel: Panel): NativeImage {
  const { platform } = process;
  const inks = chooseTrayInks(
    panel,
    platform,
    nativeTheme.shouldUseDarkColorsForSystemIntegratedUI,
  );
  const system = platform === 'darwin' || platform === 'win32' ? platform : 'linux';
  const folder = inks === 'template' ? system : join(system, inks);
  // Electron finds larger sizes (`@2x`) by their names.
  const icon = nativeImage.createFromPath(join(resourcesFolder('tray'), folder, `${sign}.png`));
  if (inks === 'template') icon.setTemplateImage(true);
  return icon;
}
