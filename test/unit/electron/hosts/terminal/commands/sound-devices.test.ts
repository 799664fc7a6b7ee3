import { expect, it } from 'vitest';
import { takeOptionalValues } from '../../../../../../electron/hosts/terminal/options/read-flags.ts';
import { devicesCommand } from '../../../../../../electron/hosts/terminal/commands/devices-command.ts';
import { permissionText } from '../../../../../../electron/hosts/terminal/commands/doctor-sound.ts';
import { requireDevice } from '../../../../../../electron/hosts/terminal/commands/sound-devices.ts';
import type { Parley } from '../../../../../../electron/core/compose-parley.ts';
import type { SoundDevice } from '../../../../../../electron/ports/sound.ts';

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
  const written = { out: '', err: '' };
  const terminal = {
    out: (text: string) => void (written.out += text),
    err: (text: string) => void (written.err += text),
  };
  const sound = { devices: () => Promise.resolve({ ok: true, value: found }) };
  const code = await devicesCommand.run(args, terminal, { sound } as unknown as Parley);
  return { code, ...written };
}

it('lists devices as a table and as JSON', async () => {
  const table =
    'Array of eight  ALSA  8 in         48000 Hz  default microphone\n' +
    'Box             ALSA        2 out  48000 Hz  default microphone\n';
  expect(await list([array, box])).toEqual({ code: 0, err: '', out: table });
  const { out } = await list([array], '--json');
  expect(JSON.parse(out)).toEqual({ event: 'device', ...array });
});

it('says in one sentence that there is none', async () => {
  const sentence =
    'There is no sound device on this machine: connect one, or start the sound server.\n';
  expect(await list([])).toEqual({ code: 4, out: '', err: sentence });
});

it('never takes another device than the one that was named', () => {
  const known =
    'There is no device called “Box” here; there are: “Array of eight”. Connect it, or choose another one.';
  expect(() => {
    requireDevice([array, box], 'microphone', { name: 'Box' });
  }).toThrow(expect.objectContaining({ message: known, code: 4 }));
  expect(() => {
    requireDevice([array], 'speaker', 'default');
  }).toThrow('There is no speaker on this machine: connect one.');
  requireDevice([array, box], 'speaker', { name: 'Box' });
  requireDevice([array, box], 'microphone', 'default');
});

it('takes a device with a name, without one, and leaves the rest alone', () => {
  const names = ['--mic', '--speaker'];
  const read = (...args: string[]) => {
    const { rest, taken } = takeOptionalValues(args, names);
    return { rest, taken: Object.fromEntries(taken) };
  };
  const rest = ['--mode', 'audio'];
  expect(read('--mic', '--mode', 'audio')).toEqual({ rest, taken: { '--mic': true } });
  expect(read('--mode', 'audio', '--mic=A b')).toEqual({ rest, taken: { '--mic': 'A b' } });
  expect(read('--speaker', 'Box', '--mode', 'audio', '--mic')).toEqual({
    rest,
    taken: { '--speaker': 'Box', '--mic': true },
  });
});

it('knows who has to be asked for the microphone', () => {
  expect(permissionText('darwin')).toContain('Privacy & Security');
  expect(permissionText('linux')).toBe(undefined);
});
