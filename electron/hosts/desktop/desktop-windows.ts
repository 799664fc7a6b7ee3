import { app, type BrowserWindow } from 'electron';
import type { VisibleWindows } from '../../../shared/app/program.ts';
import { describeAppError } from '../../../shared/i18n/en/errors.ts';
import type { CursorWindow, RegionWindow } from '../../../shared/ports/other-programs.ts';
import type { AppWindows } from '../../../shared/ports/desktop.ts';
import type { StateFile } from '../../../shared/ports/files.ts';
import type { DesktopSettings } from '../../../shared/settings/app-settings.ts';
import type { DesktopCore } from './desktop-core.ts';
import { AttemptLimit, checkPagesWhileTalking, type WindowParts } from './guarded-window.ts';
import { DesktopCursorWindow, DesktopRegionWindow } from './small-windows.ts';
import { DesktopMainWindow, DesktopMiniWindow } from './main-and-mini-window.ts';
import { WindowBoundsStore } from './window-bounds.ts';

export interface WindowsOptions extends Omit<WindowParts, 'boundsStore' | 'attempts'> {
  readonly file: StateFile;
  readonly reportBrokenPage: (reload: () => void) => void;
}

interface ClosingPolicy {
  readonly action: () => ClosingAction;
  /** Called if Parley stays open when the user closes the last window, which may surprise them. */
  readonly onStayOpen: (action: Exclude<ClosingAction, 'quit'>) => void;
}

interface OpenedWindows {
  readonly main: DesktopMainWindow;
  readonly parts: WindowParts;
}

type Core = Pick<DesktopCore, 'notices' | 'lifetime' | 'log'> & {
  readonly talk: Pick<DesktopCore['talk'], 'isActive'>;
};

/** How many automatic reloads of crashed pages are allowed within `reloadWindowMs`. */
const maxReloads = 3;
const reloadWindowMs = 60_000;

/**
 * The main window and the mini window, which replaces the main window when the user closes it during a talk. A
 * window is never hidden where the user could not bring it back.
 */
export class DesktopWindows implements AppWindows {
  #started: OpenedWindows | undefined;
  #core: Core | undefined;
  #mini: DesktopMiniWindow | undefined;
  #cursor: DesktopCursorWindow | undefined;
  #closeCursor: () => void = () => undefined;
  #region: DesktopRegionWindow | undefined;
  #closingPolicy: ClosingPolicy | undefined;
  /** Whether the main window is hidden: the user closed it or hid it with the tray, or Parley started without it. */
  #isMainClosed = false;
  /** Whether the main window was closed before `setClosing`. A second close quits. */
  #isClosePending = false;
  #isQuitting = false;

  readonly shown = (): VisibleWindows => ({
    main: !this.#isMainClosed,
    mini: this.#mini !== undefined,
    ...(this.#closing === 'quit' ? {} : { staysRunning: true }),
  });

  /** Whether the main or the mini window has the keyboard focus. */
  readonly isFocused = (): boolean =>
    this.#started?.main.window.isFocused() === true || this.#mini?.window.isFocused() === true;

  readonly showMini = (): void => {
    if (this.#started === undefined || this.#isQuitting) return;
    if (this.#mini === undefined) this.#openMini(this.#started);
    else this.#mini.show();
  };

  /** The small window over other programs. */
  readonly cursor: CursorWindow = {
    prepare: () => void this.#cursorWindow(),
    show: (surface, focus) => this.#cursorWindow()?.show(surface, focus),
    hide: () => this.#cursor?.hide(),
    pageReady: () => this.#cursor?.pageReady(),
    hasFocus: () => this.#cursor?.hasFocus === true,
    onClosed: (close) => {
      this.#closeCursor = close;
    },
  };

  /** The window on which the user chooses a part of the screen. */
  readonly region: RegionWindow = {
    open: (onClosed) => {
      if (this.#started === undefined || this.#isQuitting) onClosed();
      else this.#region = new DesktopRegionWindow(this.#started.parts, onClosed);
    },
    show: () => this.#region?.show(),
    close: () => this.#region?.end(),
  };

  readonly closeMini = (): void => this.#mini?.close();

  readonly showMain = (): void => {
    if (this.#started === undefined || this.#isQuitting) return;
    this.#isClosePending = false;
    this.#started.main.show();
    if (!this.#isMainClosed) return;
    this.#isMainClosed = false;
    if (this.#mini === undefined) this.postShown();
    else this.closeMini();
  };

  /** Quits. Electron first closes the windows, and their pages save what the user typed last. */
  readonly quit = (): void => app.quit();

  /** For the tray: hides the main window if it is visible, and otherwise brings it to the front. */
  readonly toggleMain = (): void => {
    if (this.#started === undefined || this.#isQuitting) return;
    const main = this.#started.main.window;
    if (this.#isMainClosed || !main.isVisible() || main.isMinimized()) this.showMain();
    else this.#hideMain();
  };

  /** Starts without a visible window, as at login. With a tray the window is hidden, and otherwise minimised. */
  readonly startHidden = (hasTray: boolean): void => {
    // The user may have opened the window meanwhile.
    if (this.#started === undefined || this.#isQuitting || this.#started.main.window.isVisible())
      return;
    if (hasTray) {
      this.#hideMain();
      return;
    }
    this.#minimizeMain();
    this.#closingPolicy?.onStayOpen('minimize');
  };

  /** Minimises a hidden window, because without the tray the user could not open it. */
  readonly onTrayGone = (): void => {
    this.postShown();
    if (this.#isMainClosed && this.#mini === undefined && !this.#isQuitting) this.#minimizeMain();
  };

  /** Tells pages which windows are open, and whether Parley keeps running when the last one is closed. */
  postShown(): void {
    this.#core?.notices.post('windowsShown', this.shown());
  }

  /** Sets what closing does, and closes the main window if the user closed it before. */
  readonly setClosing = (policy: ClosingPolicy): void => {
    this.#closingPolicy = policy;
    this.postShown();
    if (!this.#isClosePending) return;
    this.#isClosePending = false;
    this.#started?.main.window.close();
  };

  /** Creates the main window. The caller shows it once its page has rendered. */
  begin({
    preload,
    page,
    register,
    resetPage,
    log,
    file,
    reportBrokenPage,
  }: WindowsOptions): BrowserWindow {
    const boundsStore = new WindowBoundsStore(file);
    const attempts = new AttemptLimit(maxReloads, reloadWindowMs, () => performance.now());
    const parts = { preload, page, boundsStore, register, resetPage, log, attempts };
    const main = new DesktopMainWindow(parts, {
      onBroken: (reload) => {
        if (!this.#isQuitting) reportBrokenPage(reload);
      },
      mayClose: this.#onMainClose,
    });
    this.#started = { main, parts };
    app.on('before-quit', () => {
      this.#isQuitting = true;
    });
    return main.window;
  }

  /** Connects the windows to the core, which knows whether a talk is active and hears of window changes. */
  serve(core: Core): void {
    this.#core = core;
    core.lifetime.add(async () => {
      const written = await this.#started?.parts.boundsStore.write();
      if (written?.ok === false) core.log.write('warn', describeAppError(written.error));
    }, 'window bounds');
    checkPagesWhileTalking(core, () => {
      this.#started?.main.checkPage();
      this.#mini?.checkPage();
    });
  }

  get #miniReplacesMain(): boolean {
    return this.#core?.talk.isActive === true || this.#mini !== undefined;
  }

  get #closing(): ClosingAction {
    return this.#closingPolicy?.action() ?? 'quit';
  }

  readonly #onMainClose = (): boolean => {
    if (this.#isQuitting) return true;
    if (this.#miniReplacesMain) this.#replaceWithMini();
    else if (this.#closingPolicy === undefined && !this.#isClosePending)
      this.#isClosePending = true;
    else if (this.#closing === 'quit') {
      // A hidden window would keep Parley running.
      this.#cursor?.end();
      return true;
    } else this.#hideOrMinimize();
    return false;
  };

  /** Hides or minimises the main window after the last window was closed. */
  #hideOrMinimize(): void {
    const action = this.#closing;
    if (action === 'quit') return;
    if (action === 'hide') this.#hideMain();
    else this.#minimizeMain();
    this.#closingPolicy?.onStayOpen(action);
  }

  #hideMain(): void {
    this.#isMainClosed = true;
    this.#started?.main.window.hide();
    this.postShown();
  }

  #minimizeMain(): void {
    this.#started?.main.minimize();
    this.#isMainClosed = false;
    this.postShown();
  }

  #replaceWithMini(): void {
    this.#isMainClosed = true;
    const isMiniReady = this.#mini?.bounds() !== undefined;
    this.showMini();
    if (isMiniReady) this.#started?.main.window.hide();
    this.postShown();
  }

  #cursorWindow(): DesktopCursorWindow | undefined {
    if (this.#started === undefined || this.#isQuitting) return undefined;
    if (this.#cursor === undefined || this.#cursor.window.isDestroyed())
      this.#cursor = this.#createCursor(this.#started.parts);
    return this.#cursor;
  }

  /** Only one of the mini window and the small window is visible at a time. The small one opens where the mini one was. */
  #createCursor(parts: WindowParts): DesktopCursorWindow {
    const cursor = new DesktopCursorWindow(parts, {
      mayClose: () => this.#isQuitting,
      onClose: () => this.#closeCursor(),
      miniBounds: () => this.#mini?.bounds(),
    });
    cursor.window.on('show', () => this.#mini?.hideTemporarily());
    cursor.window.on('hide', () => this.#mini?.showAgain());
    cursor.window.on('closed', () => this.#mini?.showAgain());
    return cursor;
  }

  #openMini({ main, parts }: OpenedWindows): void {
    this.#mini = new DesktopMiniWindow(parts, {
      onVisible: () => {
        // The main window hides only now, so that a talk always has a visible window.
        if (this.#isMainClosed) main.window.hide();
      },
      onFailed: this.showMain,
      onClosed: () => {
        this.#mini = undefined;
        if (this.#isQuitting) return;
        if (!this.#isMainClosed) this.postShown();
        else if (this.#closing === 'quit') app.quit();
        else this.#hideOrMinimize();
      },
    });
    this.postShown();
  }
}

type ClosingAction = 'hide' | 'minimize' | 'quit';

/**
 * Decides what closing does. Without a tray a window is never hidden, because the user could not bring it back:
 * it is minimised if the user chose to keep Parley running, and otherwise Parley quits.
 */
export function chooseClosingAction(
  setting: DesktopSettings['closing'],
  hasTray: boolean,
): ClosingAction {
  if (setting === 'quit') return 'quit';
  if (hasTray) return 'hide';
  return setting === 'keep' ? 'minimize' : 'quit';
}
