import { type BrowserWindow, screen } from 'electron';
import { withRecoveryNote } from '../../../shared/app/program.ts';
import { describeError } from '../../../shared/harmless-text.ts';
import type { Log } from '../../../shared/ports/log.ts';
import { createMiniWindow, miniSize, workAreas } from './create-window.ts';
import { type AttemptLimit, PageGuard } from './page-guard.ts';
import {
  boundsInCorner,
  restoreBounds,
  type WindowBoundsStore,
  type WindowPlacement,
} from './window-bounds.ts';

interface Deps {
  readonly preload: string;
  /** The main window's page; its own is the same with a query. */
  readonly page: string;
  readonly places: WindowBoundsStore;
  readonly join: (window: BrowserWindow) => void;
  readonly drop: (window: BrowserWindow) => void;
  readonly log: Log;
  readonly attempts: AttemptLimit;
  /** It is to be seen from now on. */
  readonly ready: () => void;
  /** Its page does not load, or breaks too often: the main window, which has room to say what is wrong, is needed. */
  readonly failed: () => void;
  readonly closed: () => void;
}

const closesWithinMs = 1000;

/** A mini window from its opening until it is closed. */
export class DesktopMiniWindow {
  readonly #window: BrowserWindow;
  readonly #guard: PageGuard;

  constructor({ places, page, ...deps }: Deps) {
    const window = createMiniWindow(deps.preload, placeOf(places));
    const address = `${page}?window=mini`;
    const fail = (): void => {
      if (window.isDestroyed()) return;
      deps.failed();
      // A page that is dead does not answer whether it may be closed.
      if (!window.isDestroyed()) window.destroy();
    };
    this.#window = window;
    deps.join(window);
    this.#guard = new PageGuard({
      window,
      name: 'mini',
      load: (after) => window.loadURL(withRecoveryNote(address, after)),
      drop: () => {
        deps.drop(window);
      },
      attempts: deps.attempts,
      gaveUp: fail,
      log: deps.log,
    });
    window.on('close', () => {
      places.put('mini', window.getBounds());
    });
    window.on('closed', deps.closed);
    window.once('ready-to-show', () => {
      window.show();
      deps.ready();
    });
    window.loadURL(address).catch((error: unknown) => {
      if (window.isDestroyed()) return;
      deps.log.write('error', `the mini window did not load: ${describeError(error)}`);
      fail();
    });
  }

  get isVisible(): boolean {
    return this.#window.isVisible();
  }

  get isFocused(): boolean {
    return this.#window.isFocused();
  }

  /** With a page that lives. */
  show(): void {
    this.#guard.revive();
    this.#window.show();
  }

  /** Called every few seconds while a talk goes on. */
  checkPage(): void {
    this.#guard.check();
  }

  close(): void {
    const window = this.#window;
    window.close();
    // A page that is dead or hangs never answers whether it may be closed.
    setTimeout(() => {
      if (!window.isDestroyed()) window.destroy();
    }, closesWithinMs).unref();
  }
}

/** Where it was last; at first in the corner. */
function placeOf(places: WindowBoundsStore): WindowPlacement {
  const stored = restoreBounds(places.get('mini'), miniSize, workAreas());
  return 'x' in stored ? stored : boundsInCorner(stored, screen.getPrimaryDisplay().workArea);
}
