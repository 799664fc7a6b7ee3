import { afterEach, expect, it, vi } from 'vitest';
import {
  graphicsDevices,
  hasGraphicsCard,
  disableGraphicsCard,
} from '../../../../../electron/hosts/desktop/begin-start.ts';
import {
  graphicsDevices as devicesOfScripts,
  noGraphicsCardOptions,
} from '../../../../../scripts/lib/electron-flags.mjs';
import { app } from '../../../../fakes/fake-electron.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  ['linux', '/dev/dri', true],
  ['linux', '/dev/dxg', true],
  ['linux', '/dev/snd', false],
  ['darwin', '/dev/snd', true],
  ['win32', '/dev/snd', true],
] as const)('a graphics card is detected on %s with %s: %s', (platform, device, there) => {
  expect(hasGraphicsCard(platform, (path) => path === device)).toBe(there);
});

it('an engine that is already ready keeps its settings, without a failure', () => {
  const leave = vi.spyOn(app, 'disableHardwareAcceleration').mockImplementation(() => {
    throw new Error('before app is ready');
  });
  disableGraphicsCard();
  expect(leave).toHaveBeenCalledOnce();
});

it('disables software rendering before the engine reads its graphics settings', () => {
  const { disableHardwareAcceleration: leave, commandLine } = app;
  vi.spyOn(app, 'disableHardwareAcceleration').mockImplementation(() => {
    expect(commandLine.appendSwitch).toHaveBeenCalledWith('disable-software-rasterizer');
    leave();
  });
  disableGraphicsCard();
  expect(leave).toHaveBeenCalled();
});

it.runIf(process.platform === 'linux')(
  'the toolkit gets GDK_GL=disable only until the app is ready, unless the user has set it',
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

it('npm start detects a card in the same way and passes the same switches', () => {
  expect(devicesOfScripts).toEqual(graphicsDevices);
  const none = { flags: [], env: {} };
  expect(noGraphicsCardOptions('linux', (path) => path === '/dev/dri')).toEqual(none);
  expect(noGraphicsCardOptions('darwin', () => false)).toEqual(none);
  expect(noGraphicsCardOptions('linux', () => false)).toEqual({
    flags: ['--disable-gpu', '--disable-software-rasterizer'],
    env: { GDK_GL: 'disable' },
  });
});
