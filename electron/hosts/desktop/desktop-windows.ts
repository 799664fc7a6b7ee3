import { app, screen } from 'electron';
import type { BrowserWindow } from 'electron';
import type { WindowsShown } from '../../../shared/windows-shown.ts';
import type { Parley } from '../../compose.ts';
import { describeError } from '../../describe-error.ts';
import type { AppWindows } from '../../ports/app-windows.ts';
import type { StateFile } from '../../ports/files.ts';
import { inCorner, placeAgain, WindowPlaces } from './window-places.ts';
import { createMiniWindow, createWindow, mainSize, miniSize } from './window.ts';

interface Needs {
  readonly preload: string;
  /** The page's address; the mini window has the same one with a query. */
  readonly page: string;
  readonly join: (window: BrowserWindow) => void;
  readonly file: StateFile;
}

interface Begun extends Needs {
  readonly main: BrowserWindow;
  readonly places: WindowPlaces;
}

type Core = Pick<Parley, 'talk' | 'notices' | 'lifetime' | 'log'>;

/**
 * The main window and the mini window. No talk goes on without a window to be seen: where the main
 * window is closed while one does, the mini window stands in for it, and closing that one quits.
 */
export class DesktopWindows implements AppWindows {
  #begun: Begun | undefined;
  #core: Core | undefined;
  #mini: BrowserWindow | undefined;
  /** Closed by the person, but there: the mini window stands in for it. */
  #away = false;
  #quitting = false;

  readonly shown = (): WindowsShown => ({ main: !this.#away, mini: this.#mini !== undefined });

  readonly showMini = (): void => {
    if (this.#begun === undefined || this.#quitting) return;
    if (this.#mini === undefined) this.#openMini(this.#begun);
    else this.#mini.show();
  };

  readonly closeMini = (): void => {
    this.#mini?.close();
  };

  readonly showMain = (): void => {
    if (this.#begun === undefined || this.#quitting) return;
    const { main } = this.#begun;
    if (main.isMinimized()) main.restore();
    main.show();
    main.focus();
    if (!this.#away) return;
    this.#away = false;
    if (this.#mini === undefined) this.#tell();
    else this.#mini.close();
  };

  /** Makes the main window, which whoever called this shows once it has something to show. */
  begin(needs: Needs): BrowserWindow {
    const places = new WindowPlaces(needs.file);
    const main = createWindow(needs.preload, placeAgain(places.get('main'), mainSize, workAreas()));
    this.#begun = { ...needs, main, places };
    needs.join(main);
    app.on('before-quit', () => {
      this.#quitting = true;
    });
    main.on('close', (event) => {
      places.put('main', main.getNormalBounds());
      if (this.#quitting || !this.#outlived) return;
      event.preventDefault();
      this.#goAway();
    });
    return main;
  }

  /** From now on it is known whether a talk goes on, and who wants to know of the windows is told. */
  serve(core: Core): void {
    this.#core = core;
    core.lifetime.add(async () => {
      const problem = await this.#begun?.places.write();
      if (problem !== undefined) core.log.write('warn', problem);
    });
  }

  /** There is something that stays when the main window is closed. */
  get #outlived(): boolean {
    return this.#core?.talk.active === true || this.#mini !== undefined;
  }

  #goAway(): void {
    this.#away = true;
    const there = this.#mini?.isVisible() === true;
    this.showMini();
    if (there) this.#begun?.main.hide();
    this.#tell();
  }

  #openMini({ preload, page, places, join }: Begun): void {
    const kept = placeAgain(places.get('mini'), miniSize, workAreas());
    const place = 'x' in kept ? kept : inCorner(kept, screen.getPrimaryDisplay().workArea);
    const mini = createMiniWindow(preload, place);
    this.#mini = mini;
    join(mini);
    mini.on('close', () => {
      places.put('mini', mini.getBounds());
    });
    mini.on('closed', () => {
      this.#mini = undefined;
      if (this.#quitting) return;
      if (this.#away) app.quit();
      else this.#tell();
    });
    mini.once('ready-to-show', () => {
      mini.show();
      // Not sooner, or for a moment nothing would be seen of a talk that goes on.
      if (this.#away) this.#begun?.main.hide();
    });
    mini.loadURL(`${page}?window=mini`).catch((error: unknown) => {
      if (this.#quitting || mini.isDestroyed()) return;
      this.#core?.log.write('error', `the mini window did not load: ${describeError(error)}`);
      this.showMain();
      if (!mini.isDestroyed()) mini.close();
    });
    this.#tell();
  }

  #tell(): void {
    this.#core?.notices.post('windowsShown', this.shown());
  }
}

function workAreas() {
  return screen.getAllDisplays().map(({ workArea }) => workArea);
}
