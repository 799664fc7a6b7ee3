import { expect, it } from 'vitest';
import type { SoundDevice } from '../../../../../../electron/audio/devices/sound-driver.ts';
import {
  devicesCommand,
  requireDevice,
} from '../../../../../../electron/hosts/terminal/commands/devices-command.ts';
import { fakeTerminal } from '../../../../../fakes/fake-terminal.ts';

const array: SoundDevice = {
  name: 'Array of eight',
  hostApi: 'ALSA',
  inputChannels: 8,
  outputChannels: 0,
  rate: 48_000,
  defaultInput: true,
  defaultOutput: false,
};
const box: SoundDevice = { ...array, name: 'Box', inputChannels: 0, outputChannels: 2 };

async function list(found: readonly SoundDevice[], ...args: string[]) {
  const { terminal, written } = fakeTerminal();
  const sound = { devices: () => Promise.resolve({ ok: true, value: found } as const) };
  const code = await devicesCommand.run(args, terminal, () => ({ sound }));
  return { code, ...written };
}

it('parley devices lists the devices as a table and as JSON', async () => {
  const table =
    'Array of eight  ALSA  8 in         48000 Hz  default microphone\n' +
    'Box             ALSA        2 out  48000 Hz  default microphone\n';
  expect(await list([array, box])).toEqual({ code: 0, err: '', out: table });
  const { out } = await list([array], '--json');
  expect(JSON.parse(out)).toEqual({ event: 'device', ...array });
});

it('parley devices reports in one sentence that there is none', async () => {
  const sentence =
    'There is no sound device on this machine. Connect one, or start the sound server.\n';
  expect(await list([])).toEqual({ code: 4, out: '', err: sentence });
});

it('requireDevice fails with a sentence if the device is missing', () => {
  const known =
    'There is no device called “Box” here, only “Array of eight”. Connect it, or choose another one.';
  expect(() => {
    requireDevice([array, box], 'microphone', { name: 'Box' });
  }).toThrow(expect.objectContaining({ message: known, code: 4 }));
  expect(() => {
    requireDevice([array], 'speaker', 'default');
  }).toThrow('There is no speaker on this machine. Connect one.');
  requireDevice([array, box], 'speaker', { name: 'Box' });
  requireDevice([array, box], 'microphone', 'default');
});
