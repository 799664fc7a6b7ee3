import { expect, it, vi } from 'vitest';
import {
  hasGraphicsCard,
  leaveGraphicsCard,
} from '../../../../../electron/hosts/desktop/graphics-card.ts';
import { app } from '../../../../fakes/fake-electron.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

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
