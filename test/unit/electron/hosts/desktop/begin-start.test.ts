import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  checkConfigFolder,
  disableGraphicsCard,
  graphicsDevices,
  hasGraphicsCard,
  networkFeature,
  runNetworkInProcess,
} from '../../../../../electron/hosts/desktop/begin-start.ts';
import {
  graphicsDevices as devicesOfScripts,
  networkServiceFlags,
  noGraphicsCardOptions,
} from '../../../../../scripts/lib/electron-flags.mjs';
import { app } from '../../../../fakes/fake-electron.ts';
import { workFolder } from '../../../../fakes/work-folder.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

const { appendSwitch } = app.commandLine;

beforeEach(() => {
  vi.clearAllMocks();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('the settings folder', () => {
  let config: string;

  beforeEach(() => {
    config = workFolder()('李 "a" config');
    vi.spyOn(app, 'getPath').mockImplementation((name) =>
      name === 'appData' ? config : join(config, 'Parley'),
    );
  });

  /** Calls only the newest listener for the end of the process. */
  const endProcess = (): void => {
    const [last] = process.listeners('exit').slice(-1);
    if (last === undefined) return;
    process.off('exit', last);
    last(1);
  };

  it('is created in Electron’s place if that is writable', () => {
    expect(checkConfigFolder()).toBeUndefined();
    expect(existsSync(join(config, 'Parley'))).toBe(true);
    expect(app.setPath).not.toHaveBeenCalled();
  });

  it('is reported and replaced by a temporary one if it cannot be created', () => {
    // A file in its place prevents the folder even for root.
    writeFileSync(config, '');
    expect(checkConfigFolder()).toEqual({ kind: 'config', folder: config });
    const [name, temporary = ''] = app.setPath.mock.lastCall ?? [];
    expect(name).toBe('userData');
    expect(existsSync(temporary)).toBe(true);
    endProcess();
    expect(existsSync(temporary)).toBe(false);
  });

  it('is reported if Electron has none', () => {
    vi.spyOn(app, 'getPath').mockImplementation((name) => {
      if (name === 'userData') throw new Error("Failed to get 'userData' path");
      return config;
    });
    expect(checkConfigFolder()).toEqual({ kind: 'config', folder: config });
    endProcess();
  });
});

describe('a graphics card', () => {
  it.each([
    ['linux', '/dev/dri', true],
    ['linux', '/dev/dxg', true],
    ['linux', '/dev/snd', false],
    ['darwin', '/dev/snd', true],
    ['win32', '/dev/snd', true],
  ] as const)('is detected on %s with %s: %s', (platform, device, isDetected) => {
    expect(hasGraphicsCard(platform, (path) => path === device)).toBe(isDetected);
  });

  it('may stay enabled: an error of Electron, which is already ready, is ignored', () => {
    const disable = vi.spyOn(app, 'disableHardwareAcceleration').mockImplementation(() => {
      throw new Error('before app is ready');
    });
    disableGraphicsCard();
    expect(disable).toHaveBeenCalledOnce();
  });

  it('is disabled after software rendering, because the engine reads both settings then', () => {
    disableGraphicsCard();
    expect(appendSwitch).toHaveBeenCalledExactlyOnceWith('disable-software-rasterizer');
    expect(appendSwitch).toHaveBeenCalledBefore(app.disableHardwareAcceleration);
  });

  it.runIf(process.platform === 'linux')(
    'is disabled for GTK until the app is ready, unless the user has set GDK_GL',
    async () => {
      vi.stubEnv('GDK_GL', undefined);
      disableGraphicsCard();
      expect(process.env['GDK_GL']).toBe('disable');
      await app.whenReady();
      expect(process.env['GDK_GL']).toBeUndefined();
      vi.stubEnv('GDK_GL', 'gles');
      disableGraphicsCard();
      await app.whenReady();
      expect(process.env['GDK_GL']).toBe('gles');
    },
  );

  it('is detected and disabled in the same way by npm start', () => {
    expect(devicesOfScripts).toEqual(graphicsDevices);
    const none = { flags: [], env: {} };
    expect(noGraphicsCardOptions('linux', (path) => path === '/dev/dri')).toEqual(none);
    expect(noGraphicsCardOptions('darwin', () => false)).toEqual(none);
    expect(noGraphicsCardOptions('linux', () => false)).toEqual({
      flags: ['--disable-gpu', '--disable-software-rasterizer'],
      env: { GDK_GL: 'disable' },
    });
  });
});

describe('the network service', () => {
  it('runs in the main process on Linux, also with npm start', () => {
    runNetworkInProcess('linux');
    expect(appendSwitch).toHaveBeenCalledWith('enable-features', networkFeature);
    expect(networkServiceFlags('linux')).toEqual([`--enable-features=${networkFeature}`]);
  });

  it('does not disable features that the user has enabled', () => {
    vi.spyOn(app.commandLine, 'getSwitchValue').mockReturnValue('UseOzonePlatform');
    runNetworkInProcess('linux');
    const both = `UseOzonePlatform,${networkFeature}`;
    expect(appendSwitch).toHaveBeenCalledWith('enable-features', both);
  });

  it.each(['darwin', 'win32'] as const)('has its own process on %s', (platform) => {
    runNetworkInProcess(platform);
    expect(appendSwitch).not.toHaveBeenCalled();
    expect(networkServiceFlags(platform)).toEqual([]);
  });
});
