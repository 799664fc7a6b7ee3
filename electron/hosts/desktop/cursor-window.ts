import { BrowserWindow, screen } from 'electron';
import { describeError } from '../../../shared/sanitize-text.ts';
import type { CursorWindow } from '../../../shared/ports/cursor-window.ts';
import { commonOptions, smallPage, workAreas } from './create-window.ts';
import { GuardedWindow, type WindowParts } from './guarded-window.ts';
import {
  growFrom,
  restoreBounds,
  type WindowBounds,
  type WindowPlacement,
} from './window-bounds.ts';

type Surface = Parameters<CursorWindow['show']>[0];

const sizes = {
  ask: { width: 640, height: 420 },
  dictate: { width: 460, height: 150 },
} as const;

const failedPageMs = 3000;

interface Surroundings {
  readonly mayClose: () => boolean;
  /** The place of the mini window, if there is one. */
  readonly miniBounds: () => WindowBounds | undefined;
}

/**
 * The small window over other programs. It is made in advance and kept hidden, because its page takes longer to load than a
 * person waits for a key.
 */
export class DesktopCursorWindow extends GuardedWindow {
  readonly #parts: WindowParts;
  /** The page of this load hears keys. */
  #isReady = false;
  readonly #miniBounds: Surroundings['miniBounds'];
  #wanted: { readonly surface: Surface; readonly focus: boolean } | undefined;
  #surface: Surface = 'ask';
  /** Where Parley put it; elsewhere the user has moved it. */
  #placedAt: WindowBounds | undefined;

  constructor(parts: WindowParts, { mayClose, miniBounds }: Surroundings) {
    const address = smallPage(parts.page, 'cursor');
    const window = new BrowserWindow({
      ...commonOptions(parts.preload),
      ...sizes.ask,
      minWidth: 360,
      minHeight: sizes.dictate.height,
      frame: false,
      alwaysOnTop: true,
      skipTaskbar: true,
      // On Linux only the type keeps it out of the task bar.
      ...(process.platform === 'linux' && { type: 'toolbar' }),
      maximizable: false,
      minimizable: false,
      fullscreenable: false,
    });
    super('cursor', window, address, parts);
    this.#parts = parts;
    this.#miniBounds = miniBounds;
    window.setVisibleOnAllWorkspaces(true);
    window.webContents.on('did-start-loading', () => {
      this.#isReady = false;
    });
    // A page that fails before it hears keys is shown, too, with its message.
    window.webContents.on('did-finish-load', () => {
      setTimeout(() => this.pageReady(), failedPageMs).unref();
    });
    window.on('close', (event) => {
      if (mayClose()) return;
      event.preventDefault();
      this.hide();
    });
    window.loadURL(address).catch((error: unknown) => {
      if (window.isDestroyed()) return;
      parts.log.write('error', `the small window did not load: ${describeError(error)}`);
      this.onPageFailed();
    });
  }

  show(surface: Surface, focus: boolean): void {
    this.revivePage();
    this.#wanted = { surface, focus };
    if (this.#isReady) this.#showWanted();
  }

  pageReady(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    this.#showWanted();
  }

  hide(): void {
    this.#wanted = undefined;
    if (this.window.isDestroyed() || !this.window.isVisible()) return;
    this.#remember();
    this.window.hide();
  }

  get hasFocus(): boolean {
    return !this.window.isDestroyed() && this.window.isFocused();
  }

  /** Ends it with the last other window. */
  end(): void {
    if (!this.window.isDestroyed()) this.window.destroy();
  }

  protected override onPageFailed(): void {
    this.end();
  }

  #showWanted(): void {
    const { window } = this;
    const wanted = this.#wanted;
    if (wanted === undefined || window.isDestroyed()) return;
    if (!window.isVisible() || wanted.surface !== this.#surface) {
      this.#surface = wanted.surface;
      window.setBounds(this.#placeFor(wanted.surface));
      this.#placedAt = window.getBounds();
    }
    if (wanted.focus) {
      window.show();
      window.focus();
    } else window.showInactive();
  }

  /** At the mini window, else where the user moved it, else in the upper third of the screen with the pointer. */
  #placeFor(surface: Surface): WindowBounds {
    const mini = this.#miniBounds();
    if (mini === undefined) return placeOf(this.#parts.places.get(placeName(surface)), surface);
    const { workArea } = screen.getDisplayMatching(mini);
    return growFrom(mini, sizes[surface], workArea);
  }

  #remember(): void {
    const { x, y, width, height } = this.window.getBounds();
    const put = this.#placedAt;
    if (put?.x === x && put.y === y && put.width === width && put.height === height) return;
    this.#parts.places.put(placeName(this.#surface), { x, y, width, height });
  }
}

function placeName(surface: Surface): string {
  return `cursor-${surface}`;
}

function placeOf(stored: WindowBounds | undefined, surface: Surface): WindowBounds {
  const size = sizes[surface];
  const place: WindowPlacement = restoreBounds(stored, size, workAreas());
  if ('x' in place) return place;
  const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
  return {
    ...size,
    x: Math.round(workArea.x + (workArea.width - size.width) / 2),
    y: Math.round(workArea.y + (workArea.height - size.height) / 3),
  };
}
