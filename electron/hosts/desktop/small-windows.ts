import { BrowserWindow, screen } from 'electron';
import type { CursorWindow } from '../../../shared/ports/other-programs.ts';
import { commonOptions, createFramelessWindow, smallPage, workAreas } from './create-window.ts';
import { GuardedWindow, type WindowParts } from './guarded-window.ts';
import {
  growFrom,
  restoreBounds,
  type WindowBounds,
  type WindowPlacement,
  wholeWithin,
} from './window-bounds.ts';

type Surface = Parameters<CursorWindow['show']>[0];

const sizes = {
  ask: { width: 640, height: 420 },
  dictate: { width: 460, height: 150 },
} as const;

/** A page that has loaded is shown after this, even if it is not ready, because it may show an error. */
const maxReadyWaitMs = 3000;

interface Deps {
  readonly mayClose: () => boolean;
  /** The user closes the window, which stays for the next time. */
  readonly onClose: () => void;
  /** The bounds of the mini window, if it is visible or this window replaces it. */
  readonly miniBounds: () => WindowBounds | undefined;
}

/**
 * The small window over other programs. It is created in advance and hidden, because its page takes longer to load than a
 * user waits after a key.
 */
export class DesktopCursorWindow extends GuardedWindow {
  readonly #parts: WindowParts;
  /** Whether the page has loaded and handles keys. */
  #isReady = false;
  readonly #miniBounds: Deps['miniBounds'];
  #request: { readonly surface: Surface; readonly focus: boolean } | undefined;
  #surface: Surface = 'ask';
  /** The bounds that Parley set. If the window has others when it is hidden, the user has moved or resized it. */
  #boundsSet: WindowBounds | undefined;

  constructor(parts: WindowParts, { mayClose, onClose, miniBounds }: Deps) {
    const window = createFramelessWindow({
      ...commonOptions(parts.preload),
      ...sizes.ask,
      minWidth: 360,
      minHeight: sizes.dictate.height,
      skipTaskbar: true,
      // On Linux, only the window type keeps a window out of the task bar.
      ...(process.platform === 'linux' && { type: 'toolbar' }),
      minimizable: false,
    });
    super('cursor', window, smallPage(parts.page, 'cursor'), parts);
    this.#parts = parts;
    this.#miniBounds = miniBounds;
    window.webContents.on('did-start-loading', () => {
      this.#isReady = false;
    });
    window.webContents.on('did-finish-load', () => {
      setTimeout(() => this.pageReady(), maxReadyWaitMs).unref();
    });
    window.on('close', (event) => {
      if (mayClose()) return;
      event.preventDefault();
      onClose();
    });
    this.loadPage('small window');
  }

  show(surface: Surface, focus: boolean): void {
    this.revivePage();
    this.#request = { surface, focus };
    if (this.#isReady) this.#showRequested();
  }

  pageReady(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    this.#showRequested();
  }

  hide(): void {
    this.#request = undefined;
    if (this.window.isDestroyed() || !this.window.isVisible()) return;
    this.#remember();
    this.window.hide();
  }

  get hasFocus(): boolean {
    return !this.window.isDestroyed() && this.window.isFocused();
  }

  /** Destroys the window, because the last other window closes or the page failed. */
  end(): void {
    this.destroyWindow();
  }

  protected override onPageFailed(): void {
    this.end();
  }

  #showRequested(): void {
    const { window } = this;
    const request = this.#request;
    if (request === undefined || window.isDestroyed()) return;
    if (!window.isVisible() || request.surface !== this.#surface) {
      this.#surface = request.surface;
      window.setBounds(this.#boundsFor(request.surface));
      this.#boundsSet = window.getBounds();
    }
    if (request.focus) {
      window.show();
      window.focus();
    } else window.showInactive();
  }

  /**
   * The bounds of this window: at the mini window, else where the user moved this one, else in the upper third of the
   * screen that the pointer is on.
   */
  #boundsFor(surface: Surface): WindowBounds {
    const mini = this.#miniBounds();
    if (mini === undefined)
      return storedOrDefault(this.#parts.boundsStore.get(boundsKey(surface)), surface);
    const { workArea } = screen.getDisplayMatching(mini);
    return growFrom(mini, sizes[surface], workArea);
  }

  #remember(): void {
    const { x, y, width, height } = this.window.getBounds();
    const set = this.#boundsSet;
    if (set?.x === x && set.y === y && set.width === width && set.height === height) return;
    this.#parts.boundsStore.put(boundsKey(this.#surface), { x, y, width, height });
  }
}

function boundsKey(surface: Surface): string {
  return `cursor-${surface}`;
}

function storedOrDefault(stored: WindowBounds | undefined, surface: Surface): WindowBounds {
  const size = sizes[surface];
  const restored: WindowPlacement = restoreBounds(stored, size, workAreas());
  if ('x' in restored)
    return wholeWithin(restored, workAreas(), screen.getPrimaryDisplay().workArea);
  const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
  return {
    ...size,
    x: Math.round(workArea.x + (workArea.width - size.width) / 2),
    y: Math.round(workArea.y + (workArea.height - size.height) / 3),
  };
}

/**
 * Shows a picture of the screen over that screen, on which the user chooses a part. A window serves one choice, and is
 * invisible until its page has drawn the picture.
 */
export class DesktopRegionWindow extends GuardedWindow {
  constructor(parts: WindowParts, onClosed: () => void) {
    const { bounds } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
    const window = new BrowserWindow({
      ...commonOptions(parts.preload),
      ...bounds,
      frame: false,
      alwaysOnTop: true,
      skipTaskbar: true,
      movable: false,
      maximizable: false,
      minimizable: false,
      enableLargerThanScreen: true,
      backgroundColor: '#000000',
    });
    super('region', window, smallPage(parts.page, 'region'), parts);
    window.on('closed', onClosed);
    this.loadPage('window for a region');
  }

  show(): void {
    const { window } = this;
    if (window.isDestroyed()) return;
    window.setFullScreen(true);
    window.show();
    // Above panels and other windows that stay on top.
    window.setAlwaysOnTop(true, 'screen-saver');
    window.focus();
  }

  end(): void {
    this.destroyWindow();
  }

  protected override onPageFailed(): void {
    this.end();
  }
}
