import { beforeEach, expect, it, vi } from 'vitest';
import {
  keepNetworkWithin,
  networkWithin,
} from '../../../../../electron/hosts/desktop/begin-start.ts';
import { networkServiceFlags as flags } from '../../../../../scripts/lib/network-service-flags.mjs';
import { app } from '../../../../fakes/fake-electron.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

const { commandLine } = app;

beforeEach(() => {
  commandLine.appendSwitch.mockReset();
});

it('is asked for on Linux, where its process has no sandbox to lose', () => {
  keepNetworkWithin('linux');
  expect(commandLine.appendSwitch).toHaveBeenCalledWith('enable-features', networkWithin);
});

it('leaves what a person has switched on', () => {
  vi.spyOn(commandLine, 'getSwitchValue').mockReturnValue('UseOzonePlatform');
  keepNetworkWithin('linux');
  const both = `UseOzonePlatform,${networkWithin}`;
  expect(commandLine.appendSwitch).toHaveBeenCalledWith('enable-features', both);
});

it.each(['darwin', 'win32'] as const)('stays where it is on %s', (platform) => {
  keepNetworkWithin(platform);
  expect(commandLine.appendSwitch).not.toHaveBeenCalled();
  expect(flags(platform)).toEqual([]);
});

it('npm start asks for the same', () => {
  expect(flags('linux')).toEqual([`--enable-features=${networkWithin}`]);
});
