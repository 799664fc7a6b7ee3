import { beforeEach, expect, it, vi } from 'vitest';
import {
  runNetworkInProcess,
  networkFeature,
} from '../../../../../electron/hosts/desktop/begin-start.ts';
import { networkServiceFlags as flags } from '../../../../../scripts/lib/network-service-flags.mjs';
import { app } from '../../../../fakes/fake-electron.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

const { commandLine } = app;

beforeEach(() => {
  commandLine.appendSwitch.mockReset();
});

it('is enabled on Linux, where the service has no sandbox', () => {
  runNetworkInProcess('linux');
  expect(commandLine.appendSwitch).toHaveBeenCalledWith('enable-features', networkFeature);
});

it('keeps features that the user has enabled', () => {
  vi.spyOn(commandLine, 'getSwitchValue').mockReturnValue('UseOzonePlatform');
  runNetworkInProcess('linux');
  const both = `UseOzonePlatform,${networkFeature}`;
  expect(commandLine.appendSwitch).toHaveBeenCalledWith('enable-features', both);
});

it.each(['darwin', 'win32'] as const)('is not enabled on %s', (platform) => {
  runNetworkInProcess(platform);
  expect(commandLine.appendSwitch).not.toHaveBeenCalled();
  expect(flags(platform)).toEqual([]);
});

it('npm start passes the same feature', () => {
  expect(flags('linux')).toEqual([`--enable-features=${networkFeature}`]);
});
