import { describeAppError } from '../../../shared/i18n/en/describe-app-error.ts';
import { app, screen } from 'electron';
import type { BrowserWindow } from 'electron';
import type { Parley } from '../../core/compose-parley.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { withRecoveryNote } from '../../../shared/recovery-note.ts';
import type { AppWindows } from '../../ports/app-windows.ts';
import type { StateFile } from '../../ports/files.ts';
import type { Log } from '../../ports/log.ts';
import { AttemptLimit } from './attempt-limit.ts';
import { checkPagesWhileTalking } from './check-pages-while-talking.ts';
import { PageGuard } from './page-guard.ts';
import { boundsInCorner, restoreBounds, WindowBoundsStore } from './window-bounds.ts';
import { rescueWindow, workAreas } from './keep-on-screen.ts';
import type { ClosingWay } from './closing-way.ts';
import { createMiniWindow, createWindow, mainSize, miniSize } from './create-window.ts';
import type { WindowsShown } from '../../../shared/windows-shown.ts';

interface Deps {
  readonly preload: string;
  /** The page's address; the mini window has the same one with a query. */
  readonly page: string;
  readonly join: (window: BrowserWindow) => void;
  /** Ends what the page in that window has begun. */
  readonly drop: (window: BrowserWindow) => void;
  readonly file: StateFile;
  readonly log: Log;
  /** Says that the main window's page keeps breaking; `again` loads it once more. */
  readonly sayBroken: (again: () => void) => void;
}

export interface ClosingManner {
  /** What becomes of Parley when its last window is closed. */
  readonly way: () => ClosingWay;
  /** It was not quit, and where it is may surprise. */
  readonly kept: (way: Exclude<ClosingWay, 'quit'>) => void;
}

interface Started extends Deps {
  readonly main: BrowserWindow;
  readonly mainGuard: PageGuard;
  readonly places: WindowBoundsStore;
}

type Core = Pick<Parley, 'notices' | 'lifetime' | 'log'> & {
  readonly talk: Pick<Parley['talk'], 'active'>;
};

/** How often a page that dies is loaded anew by itself. */
const mostReloads = 3;
const reloadsWithinMs = 60_000;
const closesWithinMs = 1000;

/**
 * The main window and the mini window. Where the main window is closed while a talk goes on, the mini window
 * stands in for it. What closing the last one comes to is `ClosingWay`: nothing is ever hidden where nobody
 * could bring it back.
 */
export class DesktopWindows implements AppWindows {
  #started: Started | undefined;
  #core: Core | undefined;
  #mini: BrowserWindow | undefined;
  #miniGuard: PageGuard | undefined;
  readonly #reloads = new AttemptLimit(mostReloads, reloadsWithinMs, () => performance.now());
  #manner: ClosingManner | undefined;
  /** Closed by the person, but there: the mini window stands in for it. */
  #mainClosed = false;
  #quitting = false;

  readonly shown = (): WindowsShown => ({
    main: !this.#mainClosed,
    mini: this.#mini !== undefined,
    ...(this.#closing === 'quit' ? {} : { stays: true }),
  });

  /** Whether the person has one of them before them, with the keyboard in it. */
  readonly inUse = (): boolean =>
    this.#started?.main.isFocused() === true || this.#mini?.isFocused() === true;

  readonly showMini = (): void => {
    if (this.#started === undefined || this.#quitting) return;
    if (this.#miniGuard?.isDead === true) this.#mini?.destroy();
    if (this.#mini === undefined) this.#openMini(this.#started);
    else this.#mini.show();
  };

  readonly closeMini = (): void => {
    const mini = this.#mini;
    if (mini === undefined) return;
    mini.close();
    // A page that is dead or hangs never answers whether it may be closed.
    setTimeout(() => {
      if (!mini.isDestroyed()) mini.destroy();
    }, closesWithinMs).unref();
  };

  readonly showMain = (): void => {
    if (this.#started === undefined || this.#quitting) return;
    const { main, mainGuard } = this.#started;
    mainGuard.revive();
    if (main.isMinimized()) main.restore();
    rescueWindow(main);
    main.show();
    main.focus();
    if (!this.#mainClosed) return;
    this.#mainClosed = false;
    if (this.#mini === undefined) this.#postShown();
    else this.closeMini();
  };

  /** From the tray: away where it is in front, and to the front where it is not. */
  readonly toggleMain = (): void => {
    if (this.#started === undefined || this.#quitting) return;
    const { main } = this.#started;
    if (this.#mainClosed || !main.isVisible() || main.isMinimized()) this.showMain();
    else this.#hideMain();
  };

  /** Without a window to be seen, as at the start of a session; where nobody could bring it back, minimised. */
  readonly startAway = (trayShown: boolean): void => {
    // Somebody may have asked for it meanwhile.
    if (this.#started === undefined || this.#quitting || this.#started.main.isVisible()) return;
    if (trayShown) {
      this.#hideMain();
      return;
    }
    this.#minimizeMain();
    this.#manner?.kept('minimize');
  };

  /** There is no tray any more from which a hidden window could be shown. */
  readonly trayGone = (): void => {
    this.#postShown();
    if (this.#mainClosed && this.#mini === undefined && !this.#quitting) this.#minimizeMain();
  };

  /** Before that, closing the last window quits. Called again when another way is due. */
  readonly setClosing = (manner: ClosingManner): void => {
    this.#manner = manner;
    this.#postShown();
  };

  /** Makes the main window, which whoever called this shows once it has something to show. */
  begin(deps: Deps): BrowserWindow {
    const places = new WindowBoundsStore(deps.file);
    const main = createWindow(
      deps.preload,
      restoreBounds(places.get('main'), mainSize, workAreas()),
    );
    const { page, drop, log, sayBroken } = deps;
    deps.join(main);
    const mainGuard: PageGuard = new PageGuard({
      window: main,
      name: 'main',
      load: (after) => main.loadURL(withRecoveryNote(page, after)),
      drop: () => {
        drop(main);
      },
      attempts: this.#reloads,
      gaveUp: () => {
        if (this.#quitting) return;
        sayBroken(() => {
          mainGuard.revive();
        });
      },
      log,
    });
    this.#started = { ...deps, main, mainGuard, places };
    app.on('before-quit', () => {
      this.#quitting = true;
    });
    main.on('close', (event) => {
      places.put('main', main.getNormalBounds());
      if (this.#quitting) return;
      if (this.#standsIn) {
        event.preventDefault();
        this.#closeMain();
        return;
      }
      if (this.#closing === 'quit') return;
      event.preventDefault();
      this.#putAway();
    });
    return main;
  }

  /** From now on it is known whether a talk goes on, and listeners are called when windows change. */
  serve(core: Core): void {
    this.#core = core;
    core.lifetime.add(async () => {
      const written = await this.#started?.places.write();
      if (written?.ok === false) core.log.write('warn', describeAppError(written.error));
    }, 'the places of the windows');
    checkPagesWhileTalking(core, () => {
      this.#started?.mainGuard.check();
      this.#miniGuard?.check();
    });
  }

  /** There is a mini window, or reason for one, when the main window is closed. */
  get #standsIn(): boolean {
    return this.#core?.talk.active === true || this.#mini !== undefined;
  }

  get #closing(): ClosingWay {
    return this.#manner?.way() ?? 'quit';
  }

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
    this.#started?.main.hide();
    this.#postShown();
  }

  #minimizeMain(): void {
    const main = this.#started?.main;
    // What was never shown, or was hidden, stands in no list of windows from which it could be brought back.
    if (main?.isVisible() === false) main.showInactive();
    main?.minimize();
    this.#mainClosed = false;
    this.#postShown();
  }

  #closeMain(): void {
    this.#mainClosed = true;
    const there = this.#mini?.isVisible() === true;
    this.showMini();
    if (there) this.#started?.main.hide();
    this.#postShown();
  }

  #openMini({ preload, page, places, join, drop, log }: Started): void {
    const stored = restoreBounds(places.get('mini'), miniSize, workAreas());
    const place =
      'x' in stored ? stored : boundsInCorner(stored, screen.getPrimaryDisplay().workArea);
    const mini = createMiniWindow(preload, place);
    this.#mini = mini;
    join(mini);
    const address = `${page}?window=mini`;
    this.#miniGuard = new PageGuard({
      window: mini,
      name: 'mini',
      load: (after) => mini.loadURL(withRecoveryNote(address, after)),
      drop: () => {
        drop(mini);
      },
      attempts: this.#reloads,
      // The large one has room to say what is wrong.
      gaveUp: () => {
        if (this.#quitting || mini.isDestroyed()) return;
        this.#mainClosed = false;
        this.#started?.main.show();
        mini.destroy();
      },
      log,
    });
    mini.on('close', () => {
      places.put('mini', mini.getBounds());
    });
    mini.on('closed', () => {
      this.#mini = undefined;
      this.#miniGuard = undefined;
      if (this.#quitting) return;
      if (!this.#mainClosed) this.#postShown();
      else if (this.#closing === 'quit') app.quit();
      else this.#putAway();
    });
    mini.once('ready-to-show', () => {
      mini.show();
      // Not sooner, or for a moment nothing would be seen of a talk that goes on.
      if (this.#mainClosed) this.#started?.main.hide();
    });
    mini.loadURL(address).catch((error: unknown) => {
      if (this.#quitting || mini.isDestroyed()) return;
      this.#core?.log.write('error', `the mini window did not load: ${describeError(error)}`);
      this.showMain();
      if (!mini.isDestroyed()) mini.close();
    });
    this.#postShown();
  }

  #postShown(): void {
    this.#core?.notices.post('windowsShown', this.shown());
  }
}
