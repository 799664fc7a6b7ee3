import { EventEmitter } from 'node:events';
import { vi } from 'vitest';
import { deferred } from './promises.ts';

// The part of Electron that the desktop host uses, without real windows. Replaces the module:
// vi.mock('electron', () => import('…/fake-electron.ts')).

class FakeApp extends EventEmitter {
  readonly isPackaged = false;
  readonly getAppPath = (): string => '/parley';
  readonly commandLine = {
    hasSwitch: (): boolean => false,
    getSwitchValue: (): string => '',
    appendSwitch: vi.fn(),
  };
  readonly exit = vi.fn<(code: number) => void>();
  readonly relaunch = vi.fn<(options: { readonly args: readonly string[] }) => void>();
  readonly getPath = (name: string): string => `/${name}`;
  readonly setPath = vi.fn<(name: string, path: string) => void>();
  readonly disableHardwareAcceleration = vi.fn<() => void>();
  readonly requestSingleInstanceLock = (): boolean => true;
  readonly isReady = (): boolean => true;
  readonly whenReady = (): Promise<void> => Promise.resolve();
  readonly getLocale = (): string => 'en-GB';

  /** Emits events in Electron's order. Unlike Electron, it goes on if a window or listener prevents the quit. */
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
export const crashReporter = { start: vi.fn() };

/** A window whose page loads when the test resolves `loading`. */
export class BrowserWindow extends EventEmitter {
  static latest: BrowserWindow | undefined;
  static readonly all = new Set<BrowserWindow>();

  readonly loading = deferred();
  readonly loadURL = vi.fn<(address: string) => Promise<void>>(() => this.loading.promise);
  readonly show = vi.fn<() => void>(() => {
    if (this.isDestroyed()) throw new TypeError('Object has been destroyed');
  });
  readonly hide = vi.fn<() => void>();
  readonly focus = vi.fn<() => void>();
  static readonly getAllWindows = (): readonly BrowserWindow[] => [...BrowserWindow.all];

  #minimized = false;
  focused = false;
  readonly isMinimized = (): boolean => this.#minimized;
  readonly minimize = vi.fn<() => void>(() => {
    this.#minimized = true;
  });
  readonly restore = vi.fn<() => void>(() => {
    this.#minimized = false;
  });
  readonly showInactive = vi.fn<() => void>(() => {
    this.show();
  });
  readonly isFocused = (): boolean => this.focused;
  readonly setBounds = vi.fn<(bounds: Bounds) => void>((bounds) => {
    this.bounds = bounds;
  });
  readonly isVisible = (): boolean => this.show.mock.calls.length > this.hide.mock.calls.length;
  readonly setVisibleOnAllWorkspaces = vi.fn();
  readonly #contents = Object.assign(new EventEmitter(), {
    send: vi.fn(),
    getURL: (): string => this.loadURL.mock.lastCall?.[0] ?? '',
    isCrashed: (): boolean => this.#crashed,
    isLoading: (): boolean => false,
    isDevToolsOpened: (): boolean => false,
    executeJavaScript: vi.fn<(script: string) => Promise<unknown>>(() => Promise.resolve(0)),
    forcefullyCrashRenderer: vi.fn<() => void>(() => {
      this.crash();
    }),
  });
  #crashed = false;
  #destroyed = false;

  /** Throws after the window is destroyed, as in Electron. */
  get webContents() {
    if (this.#destroyed) throw new TypeError('Object has been destroyed');
    return this.#contents;
  }

  bounds: Bounds;

  constructor({ x = 0, y = 0, width, height }: Partial<Bounds> & Omit<Bounds, 'x' | 'y'>) {
    super();
    this.bounds = { x, y, width, height };
    BrowserWindow.latest = this;
    BrowserWindow.all.add(this);
  }

  /** Crashes the page until it is loaded again. */
  crash(): void {
    this.#crashed = true;
    this.loadURL.mockImplementationOnce(() => {
      this.#crashed = false;
      return Promise.resolve();
    });
    this.webContents.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 });
  }

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    BrowserWindow.all.delete(this);
    this.emit('closed');
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
export const webUtils = { getPathForFile: vi.fn(() => '') };
export const contextBridge = { exposeInMainWorld: vi.fn() };
export const nativeTheme = Object.assign(new EventEmitter(), {
  shouldUseDarkColors: false,
  shouldUseDarkColorsForSystemIntegratedUI: false,
});
const display = { workArea: { x: 0, y: 0, width: 1280, height: 800 } };
export const screen = Object.assign(new EventEmitter(), {
  getAllDisplays: () => [display],
  getPrimaryDisplay: () => display,
  getDisplayMatching: () => display,
  getDisplayNearestPoint: () => display,
  getCursorScreenPoint: () => ({ x: 0, y: 0 }),
});
export const nativeImage = {
  createFromPath: (path: string) => ({ path, setTemplateImage: () => undefined }),
};
export const Menu = {
  buildFromTemplate: (items: readonly object[]) => Object.assign(new EventEmitter(), { items }),
  setApplicationMenu: vi.fn<(menu: { readonly items: readonly TrayItem[] } | null) => void>(),
};
export const powerSaveBlocker = {
  start: vi.fn<(why: string) => number>(() => 1),
  stop: vi.fn<(id: number) => void>(),
};
export class Notification extends EventEmitter {
  static readonly shown: Notification[] = [];
  static isSupported = (): boolean => true;

  readonly options: { readonly title: string; readonly body: string };
  readonly close = vi.fn<() => void>();

  constructor(options: { readonly title: string; readonly body: string }) {
    super();
    this.options = options;
  }

  show(): void {
    Notification.shown.push(this);
    this.emit('show');
  }
}
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
  readonly type?: string;
  readonly checked?: boolean;
  readonly submenu?: readonly TrayItem[];
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
export const clipboard = { readText: vi.fn(), writeText: vi.fn() };
/** The system's shortcuts. A test adds those of other programs to `taken`, and calls an entry of `pressed` to press a key. */
export const globalShortcut = {
  taken: new Set<string>(),
  pressed: new Map<string, () => void>(),
  register: (accelerator: string, press: () => void): boolean => {
    if (accelerator.includes('Scrolllock')) throw new TypeError('conversion failure');
    if (globalShortcut.taken.has(accelerator)) return false;
    globalShortcut.pressed.set(accelerator, press);
    return true;
  },
  unregister: (accelerator: string): void => {
    globalShortcut.pressed.delete(accelerator);
  },
};
export const shell = { openExternal: vi.fn((_address: string) => Promise.resolve()) };
export const safeStorage = { isEncryptionAvailable: (): boolean => false };
