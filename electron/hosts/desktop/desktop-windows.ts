import { app, type BrowserWindow } from 'electron';
import type { WindowsShown } from '../../../shared/app/program.ts';
import { describeAppError } from '../../../shared/i18n/en/errors.ts';
import type { AppWindows } from '../../../shared/ports/desktop.ts';
import type { StateFile } from '../../../shared/ports/files.ts';
import type { DesktopSettings } from '../../../shared/settings/app-settings.ts';
import type { DesktopCore } from './desktop-core.ts';
import { AttemptLimit, checkPagesWhileTalking, type WindowParts } from './guarded-window.ts';
import { DesktopMainWindow, DesktopMiniWindow } from './main-and-mini-window.ts';
import { WindowBoundsStore } from './window-bounds.ts';

/** What the windows are opened with, once it is known which page they show. */
export interface WindowsOptions extends Omit<WindowParts, 'places' | 'attempts'> {
  /** Where their places are kept. */
  readonly file: StateFile;
  /** Says that the main window's page keeps breaking; `again` loads it once more. */
  readonly sayBroken: (again: () => void) => void;
}

interface ClosingManner {
  /** What becomes of Parley when its last window is closed. */
  readonly way: () => ClosingWay;
  /** It was not quit, and where it is may surprise. */
  readonly kept: (way: Exclude<ClosingWay, 'quit'>) => void;
}

interface Started {
  readonly main: DesktopMainWindow;
  readonly parts: WindowParts;
}

type Core = Pick<DesktopCore, 'notices' | 'lifetime' | 'log'> & {
  readonly talk: Pick<DesktopCore['talk'], 'active'>;
};

/** How often a page that dies is loaded anew by itself. */
const mostReloads = 3;
const reloadsWithinMs = 60_000;

/**
 * The main window and the mini window. Where the main window is closed while a talk goes on, the mini window
 * stands in for it. What closing the last one comes to is `ClosingWay`: nothing is ever hidden where nobody
 * could bring it back.
 */
export class DesktopWindows implements AppWindows {
  #started: Started | undefined;
  #core: Core | undefined;
  #mini: DesktopMiniWindow | undefined;
  #manner: ClosingManner | undefined;
  /** Closed by the person, but there: the mini window stands in for it. */
  #mainClosed = false;
  /** Closed before it was known what that comes to; a second time is an end at once. */
  #closeWaits = false;
  #quitting = false;

  readonly shown = (): WindowsShown => ({
    main: !this.#mainClosed,
    mini: this.#mini !== undefined,
    ...(this.#closing === 'quit' ? {} : { stays: true }),
  });

  /** Whether the person has one of them before them, with the keyboard in it. */
  readonly inUse = (): boolean =>
    this.#started?.main.window.isFocused() === true || this.#mini?.window.isFocused() === true;

  readonly showMini = (): void => {
    if (this.#started === undefined || this.#quitting) return;
    if (this.#mini === undefined) this.#openMini(this.#started);
    else this.#mini.show();
  };

  readonly closeMini = (): void => this.#mini?.close();

  readonly showMain = (): void => {
    if (this.#started === undefined || this.#quitting) return;
    this.#closeWaits = false;
    this.#started.main.show();
    if (!this.#mainClosed) return;
    this.#mainClosed = false;
    if (this.#mini === undefined) this.postShown();
    else this.closeMini();
  };

  /** The windows close first, each with what it has to end. */
  readonly quit = (): void => app.quit();

  /** From the tray: away where it is in front, and to the front where it is not. */
  readonly toggleMain = (): void => {
    if (this.#started === undefined || this.#quitting) return;
    const main = this.#started.main.window;
    if (this.#mainClosed || !main.isVisible() || main.isMinimized()) this.showMain();
    else this.#hideMain();
  };

  /** Without a window to be seen, as at the start of a session; where nobody could bring it back, minimised. */
  readonly startAway = (trayShown: boolean): void => {
    // Somebody may have asked for it meanwhile.
    if (this.#started === undefined || this.#quitting || this.#started.main.window.isVisible())
      return;
    if (trayShown) {
      this.#hideMain();
      return;
    }
    this.#minimizeMain();
    this.#manner?.kept('minimize');
  };

  /** There is no tray any more from which a hidden window could be shown. */
  readonly trayGone = (): void => {
    this.postShown();
    if (this.#mainClosed && this.#mini === undefined && !this.#quitting) this.#minimizeMain();
  };

  /** Pages are told whether Parley stays when its last window is closed, and which windows there are. */
  postShown(): void {
    this.#core?.notices.post('windowsShown', this.shown());
  }

  /** Before that, closing the last window waits for it. */
  readonly setClosing = (manner: ClosingManner): void => {
    this.#manner = manner;
    this.postShown();
    if (!this.#closeWaits) return;
    this.#closeWaits = false;
    this.#started?.main.window.close();
  };

  /** Makes the main window, which whoever called this shows once it has something to show. */
  begin({ preload, page, join, drop, log, file, sayBroken }: WindowsOptions): BrowserWindow {
    const places = new WindowBoundsStore(file);
    const attempts = new AttemptLimit(mostReloads, reloadsWithinMs, () => performance.now());
    const parts = { preload, page, places, join, drop, log, attempts };
    const main = new DesktopMainWindow(parts, {
      broken: (again) => {
        if (!this.#quitting) sayBroken(again);
      },
      closes: this.#mainCloses,
    });
    this.#started = { main, parts };
    app.on('before-quit', () => {
      this.#quitting = true;
    });
    return main.window;
  }

  /** From now on it is known whether a talk goes on, and listeners are called when windows change. */
  serve(core: Core): void {
    this.#core = core;
    core.lifetime.add(async () => {
      const written = await this.#started?.parts.places.write();
      if (written?.ok === false) core.log.write('warn', describeAppError(written.error));
    }, 'the places of the windows');
    checkPagesWhileTalking(core, () => {
      this.#started?.main.checkPage();
      this.#mini?.checkPage();
    });
  }

  /** There is a mini window, or reason for one, when the main window is closed. */
  get #standsIn(): boolean {
    return this.#core?.talk.active === true || this.#mini !== undefined;
  }

  get #closing(): ClosingWay {
    return this.#manner?.way() ?? 'quit';
  }

  readonly #mainCloses = (): boolean => {
    if (this.#quitting) return true;
    if (this.#standsIn) this.#standIn();
    else if (this.#manner === undefined && !this.#closeWaits) this.#closeWaits = true;
    else if (this.#closing === 'quit') return true;
    else this.#putAway();
    return false;
  };

  /** The last window was closed, and Parley goes on. */
  #putAway(): void {
    const way = this.#closing;
    if (way === 'quit') return;
    if (way === 'hide') this.#hideMain();
    else this.#minimizeMain();
    this.#manner?.kept(way);
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

  #standIn(): void {
    this.#mainClosed = true;
    const there = this.#mini?.window.isVisible() === true;
    this.showMini();
    if (there) this.#started?.main.window.hide();
    this.postShown();
  }

  #openMini({ main, parts }: Started): void {
    this.#mini = new DesktopMiniWindow(parts, {
      ready: () => {
        // Not sooner, or for a moment nothing would be seen of a talk that goes on.
        if (this.#mainClosed) main.window.hide();
      },
      failed: this.showMain,
      closed: () => {
        this.#mini = undefined;
        if (this.#quitting) return;
        if (!this.#mainClosed) this.postShown();
        else if (this.#closing === 'quit') app.quit();
        else this.#putAway();
      },
    });
    this.postShown();
  }
}

/** What closing the last window comes to. */
type ClosingWay = 'hide' | 'minimize' | 'quit';

/**
 * Without a tray nothing is hidden: nobody could bring it back. Who wants it kept there finds it in the list
 * of windows, and who has said nothing sees it end, as every program does there.
 */
export function closingWay(setting: DesktopSettings['closing'], trayShown: boolean): ClosingWay {
  if (setting === 'quit') return 'quit';
  if (trayShown) return 'hide';
  return setting === 'keep' ? 'minimize' : 'quit';
}
