import { expect, it } from 'vitest';
import { isNamed } from '../../../../shared/sound/device-name.ts';

it('knows a device by its name, and by its host API where names are shared', () => {
  const device = { name: 'me@home', hostApi: 'WASAPI' };
  const meant = ['me@home', 'me@home@WASAPI', 'me@home@MME', 'me', 'WASAPI', ''];
  expect(meant.filter((name) => isNamed(device, name))).toEqual(['me@home', 'me@home@WASAPI']);
});
