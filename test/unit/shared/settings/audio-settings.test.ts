import { expect, it } from 'vitest';
import { isDeviceNamed } from '../../../../shared/settings/audio-settings.ts';

it('isDeviceNamed matches a device by its name, and by its host API if names are shared', () => {
  const device = { name: 'me@home', hostApi: 'WASAPI' };
  const meant = ['me@home', 'me@home@WASAPI', 'me@home@MME', 'me', 'WASAPI', ''];
  expect(meant.filter((name) => isDeviceNamed(device, name))).toEqual([
    'me@home',
    'me@home@WASAPI',
  ]);
});
