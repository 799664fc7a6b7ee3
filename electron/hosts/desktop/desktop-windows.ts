import { app, type BrowserWindow } from 'electron';
import type { VisibleWindows } from '../../../shared/app/program.ts';
import { describeAppError } from '../../../shared/i18n/en/errors.ts';
import type { CursorWindow, RegionWindow } from '../../../shared/ports/cursor-window.ts';
import type { AppWindows } from '../../../shared/ports/desktop.ts';
import type { StateFile } from '../../../shared/ports/files.ts';
import type { DesktopSettings } from '../../../shared/settings/app-settings.ts';
import type { DesktopCore } from './desktop-core.ts';
import { AttemptLimit, checkPagesWhileTalking, type WindowParts } from './guarded-window.ts';
import { DesktopCursorWindow } from './cursor-window.ts';
import { DesktopRegionWindow } from './region-window.ts';
import { DesktopMainWindow, DesktopMiniWindow } from './main-and-mini-window.ts';
import { WindowBoundsStore } from './window-bounds.ts';

export interface WindowsOptions extends Omit<WindowParts, 'places' | 'attempts'> {
  /** Stores window positions. */
  readonly file: StateFile;
  /** Reports that the main window's page keeps breaking; `again` reloads it. */
  readonly reportBrokenPage: (again: () => void) => void;
}

interface ClosingPolicy {
  readonly action: () => ClosingAction;
  /** Parley stayed open, which may surprise the user. */
  readonly onKept: (action: Exclude<ClosingAction, 'quit'>) => void;
}

interface OpenedWindows {
  readonly main: DesktopMainWindow;
  readonly parts: WindowParts;
}

type Core = Pick<DesktopCore, 'notices' | 'lifetime' | 'log'> & {
  readonly talk: Pick<DesktopCore['talk'], 'isActive'>;
};

/** Automatic reloads of a crashed page within `reloadsWithinMs`. */
const maxReloads = 3;
const reloadsWithinMs = 60_000;

/**
 * The main window and the mini window, which replaces the main window when the user closes it during a talk. A
 * window is never hidden where the user could not bring it back.
 */
export class DesktopWindows implements AppWindows {
  #started: OpenedWindows | undefined;
  #core: Core | undefined;
  #mini: DesktopMiniWindow | undefined;
  #cursor: DesktopCursorWindow | undefined;
  #region: DesktopRegionWindow | undefined;
  #closingPolicy: ClosingPolicy | undefined;
  /** The user closed the main window; it is hidden and the mini window replaces it. */
  #mainClosed = false;
  /** The main window was closed before `setClosing`. A second close quits. */
  #closePending = false;
  #quitting = false;

  readonly shown = (): VisibleWindows => ({
    main: !this.#mainClosed,
    mini: this.#mini !== undefined,
    ...(this.#closing === 'quit' ? {} : { staysRunning: true }),
  });

  /** Whether one of them has the keyboard focus. */
  readonly isFocused = (): boolean =>
    this.#started?.main.window.isFocused() === true || this.#mini?.window.isFocused() === true;

  readonly showMini = (): void => {
    if (this.#started === undefined || this.#quitting) return;
    if (this.#mini === undefined) this.#openMini(this.#started);
    else this.#mini.show();
  };

  /** The small window over other programs. */
  readonly cursor: CursorWindow = {
    prepare: () => void this.#madeCursor(),
    show: (surface, focus) => this.#madeCursor()?.show(surface, focus),
    hide: () => this.#cursor?.hide(),
    pageReady: () => this.#cursor?.pageReady(),
    hasFocus: () => this.#cursor?.hasFocus === true,
  };

  /** The window on which the user chooses a part of the screen. */
  readonly region: RegionWindow = {
    open: (closed) => {
      if (this.#started === undefined || this.#quitting) closed();
      else this.#region = new DesktopRegionWindow(this.#started.parts, closed);
    },
    show: () => this.#region?.show(),
    close: () => this.#region?.end(),
  };

  readonly closeMini = (): void => this.#mini?.close();

  readonly showMain = (): void => {
    if (this.#started === undefined || this.#quitting) return;
    this.#closePending = false;
    this.#started.main.show();
    if (!this.#mainClosed) return;
    this.#mainClosed = false;
    if (this.#mini === undefined) this.postShown();
    else this.closeMini();
  };

  /** The windows close first and end what they have begun. */
  readonly quit = (): void => app.quit();

  /** For the tray: hides the window if it shows, and otherwise brings it to the front. */
  readonly toggleMain = (): void => {
    if (this.#started === undefined || this.#quitting) return;
    const main = this.#started.main.window;
    if (this.#mainClosed || !main.isVisible() || main.isMinimized()) this.showMain();
    else this.#hideMain();
  };

  /** Starts without a visible window, as at login: hidden with a tray, else minimised. */
  readonly startHidden = (trayShown: boolean): void => {
    // The user may have opened it meanwhile.
    if (this.#started === undefined || this.#quitting || this.#started.main.window.isVisible())
      return;
    if (trayShown) {
      this.#hideMain();
      return;
    }
    this.#minimizeMain();
    this.#closingPolicy?.onKept('minimize');
  };

  /** The tray is gone, so a hidden window is minimised instead. */
  readonly onTrayGone = (): void => {
    this.postShown();
    if (this.#mainClosed && this.#mini === undefined && !this.#quitting) this.#minimizeMain();
  };

  /** Tells pages which windows exist and whether Parley stays when the last one is closed. */
  postShown(): void {
    this.#core?.notices.post('windowsShown', this.shown());
  }

  /** Sets what closing does. An earlier close of the last window has waited for this. */
  readonly setClosing = (policy: ClosingPolicy): void => {
    this.#closingPolicy = policy;
    this.postShown();
    if (!this.#closePending) return;
    this.#closePending = false;
    this.#started?.main.window.close();
  };

  /** Creates the main window; the caller shows it once its page has rendered. */
  begin({
    preload,
    page,
    register,
    resetPage,
    log,
    file,
    reportBrokenPage,
  }: WindowsOptions): BrowserWindow {
    const places = new WindowBoundsStore(file);
    const attempts = new AttemptLimit(maxReloads, reloadsWithinMs, () => performance.now());
    const parts = { preload, page, places, register, resetPage, log, attempts };
    const main = new DesktopMainWindow(parts, {
      onBroken: (again) => {
        if (!this.#quitting) reportBrokenPage(again);
      },
      mayClose: this.#onMainClose,
    });
    this.#started = { main, parts };
    app.on('before-quit', () => {
      this.#quitting = true;
    });
    return main.window;
  }

  /** Connects the windows to the core, which knows whether a talk is active and hears of window changes. */
  serve(core: Core): void {
    this.#core = core;
    core.lifetime.add(async () => {
      const written = await this.#started?.parts.places.write();
      if (written?.ok === false) core.log.write('warn', describeAppError(written.error));
    }, 'window bounds');
    checkPagesWhileTalking(core, () => {
      this.#started?.main.checkPage();
      this.#mini?.checkPage();
    });
  }

  /** Whether the mini window replaces the main window on close. */
  get #miniReplacesMain(): boolean {
    return this.#core?.talk.isActive === true || this.#mini !== undefined;
  }

  get #closing(): ClosingAction {
    return this.#closingPolicy?.action() ?? 'quit';
  }

  readonly #onMainClose = (): boolean => {
    if (this.#quitting) return true;
    if (this.#miniReplacesMain) this.#replaceWithMini();
    else if (this.#closingPolicy === undefined && !this.#closePending) this.#closePending = true;
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
    this.#closingPolicy?.onKept(action);
  }

  #hideMain(): void {
    this.#mainClosed = true;
    this.#started?.main.window.hide();
    this.postShown();
  }

  #minimizeMain(): void {
    this.#started?.main.minimize();
    this.#mainClosed = false;
    this.postShown();
  }

  #replaceWithMini(): void {
    this.#mainClosed = true;
    const isMiniReady = this.#mini?.place() !== undefined;
    this.showMini();
    if (isMiniReady) this.#started?.main.window.hide();
    this.postShown();
  }

  #madeCursor(): DesktopCursorWindow | undefined {
    if (this.#started === undefined || this.#quitting) return undefined;
    if (this.#cursor === undefined || this.#cursor.window.isDestroyed())
      this.#cursor = this.#createCursor(this.#started.parts);
    return this.#cursor;
  }

  /** One small window is visible at a time; it grows from the place of the other. */
  #createCursor(parts: WindowParts): DesktopCursorWindow {
    const cursor = new DesktopCursorWindow(parts, {
      mayClose: () => this.#quitting,
      miniBounds: () => this.#mini?.place(),
    });
    cursor.window.on('show', () => this.#mini?.giveWay());
    cursor.window.on('hide', () => this.#mini?.comeBack());
    cursor.window.on('closed', () => this.#mini?.comeBack());
    return cursor;
  }

  #openMini({ main, parts }: OpenedWindows): void {
    this.#mini = new DesktopMiniWindow(parts, {
      ready: () => {
        // Not earlier, so that a talk always has a visible window.
        if (this.#mainClosed) main.window.hide();
      },
      failed: this.showMain,
      closed: () => {
        this.#mini = undefined;
        if (this.#quitting) return;
        if (!this.#mainClosed) this.postShown();
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
  trayShown: boolean,
): ClosingAction {
  if (setting === 'quit') return 'quit';
  if (trayShown) return 'hide';
  return setting === 'keep' ? 'minimize' : 'quit';
}
