import type { BrowserWindow } from 'electron';
import { withRecoveryNote } from '../../../shared/app/program.ts';
import type { Log } from '../../../shared/ports/log.ts';
import { createWindow, mainSize, rescueWindow, workAreas } from './create-window.ts';
import { type AttemptLimit, PageGuard } from './page-guard.ts';
import { restoreBounds, type WindowBoundsStore } from './window-bounds.ts';

interface Deps {
  readonly preload: string;
  readonly page: string;
  readonly places: WindowBoundsStore;
  readonly join: (window: BrowserWindow) => void;
  readonly drop: (window: BrowserWindow) => void;
  readonly log: Log;
  readonly attempts: AttemptLimit;
  /** Its page keeps breaking; `again` loads it once more. */
  readonly broken: (again: () => void) => void;
  /** The person closes it; says whether that is to be so. */
  readonly closes: () => boolean;
}

/** The main window, which is hidden or minimised where closing it is not the end. */
export class DesktopMainWindow {
  /** Whoever began it loads its page, and shows it for the first time. */
  readonly window: BrowserWindow;
  readonly #guard: PageGuard;

  constructor({ places, page, ...deps }: Deps) {
    const place = restoreBounds(places.get('main'), mainSize, workAreas());
    const window = createWindow(deps.preload, place);
    this.window = window;
    deps.join(window);
    this.#guard = new PageGuard({
      window,
      name: 'main',
      load: (after) => window.loadURL(withRecoveryNote(page, after)),
      drop: () => {
        deps.drop(window);
      },
      attempts: deps.attempts,
      gaveUp: () => {
        deps.broken(() => {
          this.#guard.revive();
        });
      },
      log: deps.log,
    });
    window.on('close', (event) => {
      places.put('main', window.getNormalBounds());
      if (!deps.closes()) event.preventDefault();
    });
  }

  /** To the front, wherever it was, with a page that lives. */
  show(): void {
    this.#guard.revive();
    if (this.window.isMinimized()) this.window.restore();
    rescueWindow(this.window);
    this.window.show();
    this.window.focus();
  }

  minimize(): void {
    // What was never shown, or was hidden, stands in no list of windows from which it could be brought back.
    if (!this.window.isVisible()) this.window.showInactive();
    this.window.minimize();
  }

  /** Called every few seconds while a talk goes on. */
  checkPage(): void {
    this.#guard.check();
  }
}
