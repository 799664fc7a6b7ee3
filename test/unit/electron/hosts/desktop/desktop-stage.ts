import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { composeLog } from '../../../../../electron/app/process-log.ts';
import { openDesktop } from '../../../../../electron/hosts/desktop/start-desktop.ts';
import { type Lifetime, observeLifetimes } from '../../../../../shared/lifetime.ts';
import { eventually } from '../../../../fakes/eventually.ts';
import { app, BrowserWindow, Tray } from '../../../../fakes/fake-electron.ts';

const begun = { failedBefore: 0, isSafe: false, done: () => undefined };
const lastWayOut = vi.fn<() => void>();

/** The effects of the app, and a hook for the start of its core. */
export const stage = {
  said: '',
  core: undefined as Lifetime | undefined,
  atOnce: (_lifetime: Lifetime): void => undefined,
};

// The app loads its core while its page loads. The first import is slow here, so it happens beforehand.
beforeAll(async () => {
  await import('../../../../../electron/app/parley.ts');
});

beforeEach(() => {
  stage.said = '';
  stage.core = undefined;
  stage.atOnce = () => undefined;
  vi.clearAllMocks();
  vi.stubEnv('ELECTRON_RENDERER_URL', 'http://127.0.0.1:1');
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      stage.said += String(text);
      return true;
    });
  }
  observeLifetimes({
    onBegin: (lifetime) => {
      stage.core = lifetime;
      stage.atOnce(lifetime);
    },
    onEnd: () => undefined,
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  app.removeAllListeners();
  BrowserWindow.latest = undefined;
  BrowserWindow.all.clear();
  Tray.latest = undefined;
});

/** Opens the app until its page is loading. */
export async function opening() {
  const { fail } = openDesktop(composeLog(), begun, lastWayOut);
  await eventually(() => {
    expect(BrowserWindow.latest?.loadURL).toHaveBeenCalled();
  });
  if (BrowserWindow.latest === undefined) throw new Error('Nothing opened.');
  return { window: BrowserWindow.latest, fail };
}

export async function opened() {
  const { window, fail } = await opening();
  window.emit('ready-to-show');
  window.loading.resolve();
  await eventually(() => {
    expect(stage.said).toBe('Parley is open.\n');
  });
  if (stage.core === undefined) throw new Error('The core has not been loaded.');
  return { window, core: stage.core, fail };
}

export const exited = (code: number) =>
  eventually(() => {
    expect(app.exit.mock.calls[0]).toEqual([code]);
  });
