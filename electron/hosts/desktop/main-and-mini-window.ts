import { screen } from 'electron';
import { describeError } from '../../../shared/harmless-text.ts';
import {
  createMiniWindow,
  createWindow,
  mainSize,
  miniSize,
  rescueWindow,
  workAreas,
} from './create-window.ts';
import { GuardedWindow, type WindowParts } from './guarded-window.ts';
import {
  boundsInCorner,
  restoreBounds,
  type WindowBoundsStore,
  type WindowPlacement,
} from './window-bounds.ts';

interface MainWindowEvents {
  /** Its page keeps breaking; `again` loads it once more. */
  readonly broken: (again: () => void) => void;
  /** The person closes it; says whether that is to be so. */
  readonly closes: () => boolean;
}

/** The main window, which is hidden or minimised where closing it is not the end. Whoever began it loads its page. */
export class DesktopMainWindow extends GuardedWindow {
  readonly #events: MainWindowEvents;

  constructor(parts: WindowParts, events: MainWindowEvents) {
    const { preload, page, places } = parts;
    const place = restoreBounds(places.get('main'), mainSize, workAreas());
    super('main', createWindow(preload, place), page, parts);
    this.#events = events;
    this.window.on('close', (event) => {
      places.put('main', this.window.getNormalBounds());
      if (!events.closes()) event.preventDefault();
    });
  }

  /** To the front, wherever it was, with a page that lives. */
  show(): void {
    this.revivePage();
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

  protected override gaveUp(): void {
    this.#events.broken(() => this.revivePage());
  }
}

interface MiniWindowEvents {
  /** It is to be seen from now on. */
  readonly ready: () => void;
  /** Its page does not load, or breaks too often: the main window, which has room to say what is wrong, is needed. */
  readonly failed: () => void;
  readonly closed: () => void;
}

const closesWithinMs = 1000;

/** A mini window from its opening until it is closed. */
export class DesktopMiniWindow extends GuardedWindow {
  readonly #events: MiniWindowEvents;

  constructor(parts: WindowParts, events: MiniWindowEvents) {
    const { preload, page, places, log } = parts;
    const address = `${page}?window=mini`;
    const window = createMiniWindow(preload, miniPlace(places));
    super('mini', window, address, parts);
    this.#events = events;
    window.on('close', () => places.put('mini', window.getBounds()));
    window.on('closed', events.closed);
    window.once('ready-to-show', () => {
      window.show();
      events.ready();
    });
    window.loadURL(address).catch((error: unknown) => {
      if (window.isDestroyed()) return;
      log.write('error', `the mini window did not load: ${describeError(error)}`);
      this.gaveUp();
    });
  }

  /** With a page that lives. */
  show(): void {
    this.revivePage();
    this.window.show();
  }

  close(): void {
    const { window } = this;
    window.close();
    // A page that is dead or hangs never answers whether it may be closed.
    setTimeout(() => {
      if (!window.isDestroyed()) window.destroy();
    }, closesWithinMs).unref();
  }

  protected override gaveUp(): void {
    if (this.window.isDestroyed()) return;
    this.#events.failed();
    // A page that is dead does not answer whether it may be closed.
    if (!this.window.isDestroyed()) this.window.destroy();
  }
}

/** Where it was last; at first in the corner. */
function miniPlace(places: WindowBoundsStore): WindowPlacement {
  const stored = restoreBounds(places.get('mini'), miniSize, workAreas());
  return 'x' in stored ? stored : boundsInCorner(stored, screen.getPrimaryDisplay().workArea);
}
