import { screen } from 'electron';
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
  wholeWithin,
} from './window-bounds.ts';

interface MainWindowEvents {
  readonly onBroken: (reload: () => void) => void;
  readonly mayClose: () => boolean;
}

/** The main window. Closing may hide or minimise it instead. The caller loads its page. */
export class DesktopMainWindow extends GuardedWindow {
  readonly #events: MainWindowEvents;

  constructor(parts: WindowParts, events: MainWindowEvents) {
    const { preload, page, boundsStore } = parts;
    const placement = restoreBounds(boundsStore.get('main'), mainSize, workAreas());
    super('main', createWindow(preload, placement), page, parts);
    this.#events = events;
    this.window.on('close', (event) => {
      boundsStore.put('main', this.window.getNormalBounds());
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
  readonly onVisible: () => void;
  /** Called if the page does not load or breaks too often. The main window has room to report it. */
  readonly onFailed: () => void;
  readonly onClosed: () => void;
}

const closeTimeoutMs = 1000;

export class DesktopMiniWindow extends GuardedWindow {
  readonly #events: MiniWindowEvents;
  /** Whether the mini window is hidden because the small window over other programs shows the talk. */
  #isReplaced = false;

  constructor(parts: WindowParts, events: MiniWindowEvents) {
    const { preload, page, boundsStore } = parts;
    const window = createMiniWindow(preload, miniPlacement(boundsStore));
    super('mini', window, `${page}?window=mini`, parts);
    this.#events = events;
    window.on('close', () => boundsStore.put('mini', window.getBounds()));
    window.on('closed', events.onClosed);
    window.once('ready-to-show', () => {
      window.show();
      events.onVisible();
    });
    this.loadPage('mini window');
  }

  /** Shows the window and reloads a dead page. */
  show(): void {
    this.#isReplaced = false;
    this.revivePage();
    moveIntoReach(this.window);
    this.window.show();
  }

  /** The mini window's bounds, if it is visible or the small window replaces it. */
  bounds(): WindowBounds | undefined {
    return this.#isReplaced || this.window.isVisible() ? this.window.getBounds() : undefined;
  }

  /** Hides the mini window while the small window over other programs shows the talk's state and buttons. */
  hideTemporarily(): void {
    if (!this.window.isVisible()) return;
    this.#isReplaced = true;
    this.window.hide();
  }

  /** Shows the mini window again, without the focus. */
  showAgain(): void {
    if (!this.#isReplaced || this.window.isDestroyed()) return;
    this.#isReplaced = false;
    moveIntoReach(this.window);
    this.window.showInactive();
  }

  close(): void {
    this.window.close();
    // A hung page never confirms the close.
    setTimeout(() => this.destroyWindow(), closeTimeoutMs).unref();
  }

  protected override onPageFailed(): void {
    if (this.window.isDestroyed()) return;
    this.#events.onFailed();
    this.destroyWindow();
  }
}

/** The stored bounds, moved onto a screen if a part was beyond its edge, or at first the corner of the screen. */
function miniPlacement(boundsStore: WindowBoundsStore): WindowPlacement {
  const { workArea } = screen.getPrimaryDisplay();
  const stored = restoreBounds(boundsStore.get('mini'), miniSize, workAreas());
  return 'x' in stored
    ? wholeWithin(stored, workAreas(), workArea)
    : boundsInCorner(stored, workArea);
}
