import { screen } from 'electron';
import { describeError } from '../../../shared/sanitize-text.ts';
import {
  createMiniWindow,
  createWindow,
  mainSize,
  miniSize,
  moveIntoReach,
  workAreas,
} from './create-window.ts';
import { GuardedWindow, type WindowParts } from './guarded-window.ts';
import {
  boundsInCorner,
  restoreBounds,
  type WindowBounds,
  type WindowBoundsStore,
  type WindowPlacement,
} from './window-bounds.ts';

interface MainWindowEvents {
  /** The page keeps breaking; `again` reloads it. */
  readonly onBroken: (again: () => void) => void;
  /** The user closes the window; returns whether it may close. */
  readonly mayClose: () => boolean;
}

/** The main window. Closing may hide or minimise it instead. The caller loads its page. */
export class DesktopMainWindow extends GuardedWindow {
  readonly #events: MainWindowEvents;

  constructor(parts: WindowParts, events: MainWindowEvents) {
    const { preload, page, places } = parts;
    const place = restoreBounds(places.get('main'), mainSize, workAreas());
    super('main', createWindow(preload, place), page, parts);
    this.#events = events;
    this.window.on('close', (event) => {
      places.put('main', this.window.getNormalBounds());
      if (!events.mayClose()) event.preventDefault();
    });
  }

  /** Brings the window to the front and reloads a dead page. */
  show(): void {
    this.revivePage();
    if (this.window.isMinimized()) this.window.restore();
    moveIntoReach(this.window);
    this.window.show();
    this.window.focus();
  }

  minimize(): void {
    // A hidden window is in no task bar, so it is shown before it is minimised.
    if (!this.window.isVisible()) this.window.showInactive();
    this.window.minimize();
  }

  protected override onPageFailed(): void {
    this.#events.onBroken(() => this.revivePage());
  }
}

interface MiniWindowEvents {
  /** The window is visible. */
  readonly ready: () => void;
  /** The page does not load or breaks too often. The main window has room to report it. */
  readonly failed: () => void;
  readonly closed: () => void;
}

const closesWithinMs = 1000;

export class DesktopMiniWindow extends GuardedWindow {
  readonly #events: MiniWindowEvents;
  /** The small window over other programs shows the talk meanwhile. */
  #isReplaced = false;

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
      this.onPageFailed();
    });
  }

  /** Shows the window and reloads a dead page. */
  show(): void {
    this.#isReplaced = false;
    this.revivePage();
    this.window.show();
  }

  /** Where it is visible, or was until the small window replaced it. */
  place(): WindowBounds | undefined {
    return this.#isReplaced || this.window.isVisible() ? this.window.getBounds() : undefined;
  }

  /** Hides while the small window over other programs is visible, which has the talk's state and buttons. */
  giveWay(): void {
    if (!this.window.isVisible()) return;
    this.#isReplaced = true;
    this.window.hide();
  }

  /** Returns to its place without the focus. */
  comeBack(): void {
    if (!this.#isReplaced || this.window.isDestroyed()) return;
    this.#isReplaced = false;
    this.window.showInactive();
  }

  close(): void {
    const { window } = this;
    window.close();
    // A dead or hung page never confirms the close.
    setTimeout(() => {
      if (!window.isDestroyed()) window.destroy();
    }, closesWithinMs).unref();
  }

  protected override onPageFailed(): void {
    if (this.window.isDestroyed()) return;
    this.#events.failed();
    // A dead page never confirms a close.
    if (!this.window.isDestroyed()) this.window.destroy();
  }
}

/** The last position, or at first the corner of the screen. */
function miniPlace(places: WindowBoundsStore): WindowPlacement {
  const stored = restoreBounds(places.get('mini'), miniSize, workAreas());
  return 'x' in stored ? stored : boundsInCorner(stored, screen.getPrimaryDisplay().workArea);
}
