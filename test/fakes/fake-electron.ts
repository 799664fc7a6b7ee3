import { EventEmitter } from 'node:events';
import { vi } from 'vitest';
import { deferred } from './deferred.ts';

// What the desktop host takes of Electron, without a window. It stands in for the module itself:
// vi.mock('electron', () => import('…/fake-electron.ts')).

class FakeApp extends EventEmitter {
  readonly isPackaged = false;
  readonly exit = vi.fn<(code: number) => void>();
  readonly requestSingleInstanceLock = (): boolean => true;
  readonly isReady = (): boolean => true;
  readonly whenReady = (): Promise<void> => Promise.resolve();
  readonly getLocale = (): string => 'en-GB';

  /** As Electron does it: windows close first, and who listens to `will-quit` may hold it up. */
  quit(): void {
    this.emit('before-quit');
    for (const window of BrowserWindow.all) window.close();
    this.emit('will-quit', { preventDefault: () => undefined });
  }
}

interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const app = new FakeApp();

/** Its page neither loads nor fails before the test says so. */
export class BrowserWindow extends EventEmitter {
  static latest: BrowserWindow | undefined;
  /** Those that are open, oldest first. */
  static readonly all = new Set<BrowserWindow>();

  readonly loading = deferred();
  readonly loadURL = vi.fn<(address: string) => Promise<void>>(() => this.loading.promise);
  readonly show = vi.fn<() => void>(() => {
    if (this.isDestroyed()) throw new TypeError('Object has been destroyed');
  });
  readonly hide = vi.fn<() => void>();
  readonly focus = vi.fn<() => void>();
  readonly isMinimized = (): boolean => false;
  readonly isVisible = (): boolean => this.show.mock.calls.length > this.hide.mock.calls.length;
  readonly setVisibleOnAllWorkspaces = vi.fn();
  readonly webContents = Object.assign(new EventEmitter(), {
    send: vi.fn(),
    getURL: (): string => this.loadURL.mock.lastCall?.[0] ?? '',
  });
  #destroyed = false;
  bounds: Bounds;

  constructor({ x = 0, y = 0, width, height }: Partial<Bounds> & Omit<Bounds, 'x' | 'y'>) {
    super();
    this.bounds = { x, y, width, height };
    BrowserWindow.latest = this;
    BrowserWindow.all.add(this);
  }

  getBounds(): Bounds {
    return this.bounds;
  }

  getNormalBounds(): Bounds {
    return this.bounds;
  }

  close(): void {
    if (this.#destroyed) return;
    let prevented = false;
    this.emit('close', { preventDefault: () => (prevented = true) });
    if (prevented) return;
    this.#destroyed = true;
    BrowserWindow.all.delete(this);
    this.emit('closed');
    if (this.loadURL.mock.calls.length > 0) {
      this.loading.reject(new Error('ERR_FAILED (-2) loading'));
    }
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }
}

export const powerMonitor = new EventEmitter();

export const dialog = {
  showMessageBox: vi.fn<(box: { readonly message: string }) => Promise<void>>(() =>
    Promise.resolve(),
  ),
};
export const ipcMain = { handle: vi.fn(), removeHandler: vi.fn() };
export const ipcRenderer = { invoke: vi.fn(), on: vi.fn() };
export const contextBridge = { exposeInMainWorld: vi.fn() };
export const nativeTheme = { shouldUseDarkColors: false };
const display = { workArea: { x: 0, y: 0, width: 1280, height: 800 } };
export const screen = {
  getAllDisplays: () => [display],
  getPrimaryDisplay: () => display,
};
export const nativeImage = {
  createFromPath: (path: string) => ({ path, setTemplateImage: () => undefined }),
};
export const Menu = { buildFromTemplate: (items: readonly object[]) => ({ items }) };
export class Tray extends EventEmitter {
  static latest: Tray | undefined;

  readonly setImage = vi.fn<(icon: { readonly path: string }) => void>();
  readonly setToolTip = vi.fn<(tip: string) => void>();
  readonly setContextMenu = vi.fn<(menu: { readonly items: readonly TrayItem[] }) => void>();
  readonly destroy = vi.fn<() => void>();

  constructor() {
    super();
    Tray.latest = this;
  }
}
interface TrayItem {
  readonly id?: string;
  readonly label?: string;
  readonly enabled?: boolean;
  readonly click?: () => void;
}
export const protocol = { handle: vi.fn() };
export const session = {
  defaultSession: {
    setSpellCheckerEnabled: vi.fn(),
    setPermissionRequestHandler: vi.fn(),
    setPermissionCheckHandler: vi.fn(),
    setDisplayMediaRequestHandler: vi.fn(),
  },
};
export const desktopCapturer = { getSources: vi.fn() };
export const safeStorage = { isEncryptionAvailable: (): boolean => false };
