import { beforeEach, expect, it, vi } from 'vitest';
import {
  runNetworkInProcess,
  networkFeature,
} from '../../../../../electron/hosts/desktop/begin-start.ts';
import { networkServiceFlags as flags } from '../../../../../scripts/lib/electron-flags.mjs';
import { app } from '../../../../fakes/fake-electron.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

const { commandLine } = app;

beforeEach(() => {
  commandLine.appendSwitch.mockReset();
});

it('the network service runs in the main process on Linux, where it has no sandbox', () => {
  runNetworkInProcess('linux');
  expect(commandLine.appendSwitch).toHaveBeenCalledWith('enable-features', networkFeature);
});

it('features that the user has enabled stay enabled', () => {
  vi.spyOn(commandLine, 'getSwitchValue').mockReturnValue('UseOzonePlatform');
  runNetworkInProcess('linux');
  const both = `UseOzonePlatform,${networkFeature}`;
  expect(commandLine.appendSwitch).toHaveBeenCalledWith('enable-features', both);
});

it.each(['darwin', 'win32'] as const)(
  'the network service has its own process on %s',
  (platform) => {
    runNetworkInProcess(platform);
    expect(commandLine.appendSwitch).not.toHaveBeenCalled();
    expect(flags(platform)).toEqual([]);
  },
);

it('npm start passes the same feature', () => {
  expect(flags('linux')).toEqual([`--enable-features=${networkFeature}`]);
});
