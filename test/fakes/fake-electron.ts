import { EventEmitter } from 'node:events';
import { vi } from 'vitest';
import { promised } from './promised.ts';

// What the desktop host takes of Electron, without a window. It stands in for the module itself:
// vi.mock('electron', () => import('…/fake-electron.ts')).

class FakeApp extends EventEmitter {
  readonly isPackaged = false;
  readonly exit = vi.fn<(code: number) => void>();
  readonly requestSingleInstanceLock = (): boolean => true;
  readonly whenReady = (): Promise<void> => Promise.resolve();

  /** As Electron does it: windows close first, and who listens to `will-quit` may hold it up. */
  quit(): void {
    this.emit('before-quit');
    BrowserWindow.latest?.close();
    this.emit('will-quit', { preventDefault: () => undefined });
  }
}

export const app = new FakeApp();

/** Its page neither loads nor fails before the test says so. */
export class BrowserWindow extends EventEmitter {
  static latest: BrowserWindow | undefined;

  readonly loading = promised();
  readonly loadURL = vi.fn<(address: string) => Promise<void>>(() => this.loading.promise);
  readonly show = vi.fn<() => void>(() => {
    if (this.isDestroyed()) throw new TypeError('Object has been destroyed');
  });
  readonly webContents = Object.assign(new EventEmitter(), { send: vi.fn() });
  #destroyed = false;

  constructor() {
    super();
    BrowserWindow.latest = this;
  }

  close(): void {
    if (this.#destroyed) return;
    this.emit('close');
    this.#destroyed = true;
    this.loading.reject(new Error('ERR_FAILED (-2) loading'));
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }
}

export const ipcMain = { handle: vi.fn(), removeHandler: vi.fn() };
export const nativeTheme = { shouldUseDarkColors: false };
export const protocol = { handle: vi.fn() };
export const session = {
  defaultSession: {
    setPermissionRequestHandler: vi.fn(),
    setPermissionCheckHandler: vi.fn(),
    setDisplayMediaRequestHandler: vi.fn(),
  },
};
export const desktopCapturer = { getSources: vi.fn() };
export const safeStorage = { isEncryptionAvailable: (): boolean => false };
