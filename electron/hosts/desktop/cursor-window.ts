import { BrowserWindow, screen } from 'electron';
import { describeError } from '../../../shared/sanitize-text.ts';
import type { CursorWindow } from '../../../shared/ports/cursor-window.ts';
import { commonOptions, workAreas } from './create-window.ts';
import { GuardedWindow, type WindowParts } from './guarded-window.ts';
import { restoreBounds, type WindowBounds, type WindowPlacement } from './window-bounds.ts';

type Surface = Parameters<CursorWindow['show']>[0];

const sizes = {
  ask: { width: 640, height: 420 },
  dictate: { width: 460, height: 150 },
} as const;

/**
 * The small window over other programs. It is made when it is first wanted and then kept hidden, because its page takes
 * longer to load than a person waits for a key.
 */
export class DesktopCursorWindow extends GuardedWindow {
  readonly #parts: WindowParts;
  readonly #ready: Promise<void>;
  #wanted: { readonly surface: Surface; readonly focus: boolean } | undefined;
  #surface: Surface = 'ask';

  constructor(parts: WindowParts) {
    const address = `${parts.page}?window=cursor`;
    const window = new BrowserWindow({
      ...commonOptions(parts.preload),
      ...sizes.ask,
      minWidth: 360,
      minHeight: sizes.dictate.height,
      frame: false,
      alwaysOnTop: true,
      skipTaskbar: true,
      maximizable: false,
      minimizable: false,
      fullscreenable: false,
    });
    super('cursor', window, address, parts);
    this.#parts = parts;
    window.setVisibleOnAllWorkspaces(true);
    this.#ready = new Promise((resolve) => {
      window.once('ready-to-show', () => resolve());
    });
    // The desktop may close it; its page must end what it began, so it is only hidden.
    window.on('close', () => this.#remember());
    window.loadURL(address).catch((error: unknown) => {
      if (window.isDestroyed()) return;
      parts.log.write('error', `the small window did not load: ${describeError(error)}`);
      this.onPageFailed();
    });
  }

  show(surface: Surface, focus: boolean): void {
    this.revivePage();
    this.#wanted = { surface, focus };
    void this.#ready.then(() => this.#showWanted());
  }

  hide(): void {
    this.#wanted = undefined;
    if (this.window.isDestroyed() || !this.window.isVisible()) return;
    this.#remember();
    this.window.hide();
  }

  protected override onPageFailed(): void {
    // A dead page never confirms a close.
    if (!this.window.isDestroyed()) this.window.destroy();
  }

  #showWanted(): void {
    const { window } = this;
    const wanted = this.#wanted;
    if (wanted === undefined || window.isDestroyed()) return;
    if (!window.isVisible() || wanted.surface !== this.#surface) {
      this.#surface = wanted.surface;
      window.setBounds(placeOf(this.#parts.places.get(wanted.surface), wanted.surface));
    }
    if (wanted.focus) {
      window.show();
      window.focus();
    } else window.showInactive();
  }

  #remember(): void {
    this.#parts.places.put(this.#surface, this.window.getBounds());
  }
}

/** Where the user moved it, else in the upper third of the screen with the pointer. */
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
