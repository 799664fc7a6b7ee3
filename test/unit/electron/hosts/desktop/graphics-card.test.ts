import { afterEach, expect, it, vi } from 'vitest';
import {
  graphicsDevices,
  hasGraphicsCard,
  leaveGraphicsCard,
} from '../../../../../electron/hosts/desktop/begin-start.ts';
import {
  graphicsDevices as devicesOfScripts,
  noGraphicsCardOptions,
} from '../../../../../scripts/lib/graphics-card.mjs';
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
] as const)('on %s with %s: %s', (platform, device, there) => {
  expect(hasGraphicsCard(platform, (path) => path === device)).toBe(there);
});

it('an engine that is ready already keeps what it has, and nobody is stopped by that', () => {
  const leave = vi.spyOn(app, 'disableHardwareAcceleration').mockImplementation(() => {
    throw new Error('before app is ready');
  });
  leaveGraphicsCard();
  expect(leave).toHaveBeenCalledOnce();
});

it('no card is made of the processor either, which the engine reads at the first word about one', () => {
  const { disableHardwareAcceleration: leave, commandLine } = app;
  vi.spyOn(app, 'disableHardwareAcceleration').mockImplementation(() => {
    expect(commandLine.appendSwitch).toHaveBeenCalledWith('disable-software-rasterizer');
    leave();
  });
  leaveGraphicsCard();
  expect(leave).toHaveBeenCalled();
});

it.runIf(process.platform === 'linux')(
  "the toolkit looks for none while it is opened, and programs that are started later are not told; a person's own word stays",
  async () => {
    vi.stubEnv('GDK_GL', undefined);
    leaveGraphicsCard();
    expect(process.env['GDK_GL']).toBe('disable');
    await app.whenReady();
    expect(process.env['GDK_GL']).toBeUndefined();
    vi.stubEnv('GDK_GL', 'gles');
    leaveGraphicsCard();
    await app.whenReady();
    expect(process.env['GDK_GL']).toBe('gles');
  },
);

it('npm start knows a card by the same, and gives its switches where there is none', () => {
  expect(devicesOfScripts).toEqual(graphicsDevices);
  const none = { flags: [], env: {} };
  expect(noGraphicsCardOptions('linux', (path) => path === '/dev/dri')).toEqual(none);
  expect(noGraphicsCardOptions('darwin', () => false)).toEqual(none);
  expect(noGraphicsCardOptions('linux', () => false)).toEqual({
    flags: ['--disable-gpu', '--disable-software-rasterizer'],
    env: { GDK_GL: 'disable' },
  });
});
