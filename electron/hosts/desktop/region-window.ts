import { BrowserWindow, screen } from 'electron';
import { describeError } from '../../../shared/sanitize-text.ts';
import { commonOptions, smallPage } from './create-window.ts';
import { GuardedWindow, type WindowParts } from './guarded-window.ts';

/**
 * Shows a picture of the screen over that screen, on which the user chooses a part. A window serves one choice, and is
 * invisible until its page has drawn the picture.
 */
export class DesktopRegionWindow extends GuardedWindow {
  constructor(parts: WindowParts, onClosed: () => void) {
    const address = smallPage(parts.page, 'region');
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
    super('region', window, address, parts);
    window.on('closed', onClosed);
    window.loadURL(address).catch((error: unknown) => {
      if (window.isDestroyed()) return;
      parts.log.write('error', `the window for a region did not load: ${describeError(error)}`);
      this.onPageFailed();
    });
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
    if (!this.window.isDestroyed()) this.window.destroy();
  }

  protected override onPageFailed(): void {
    this.end();
  }
}
