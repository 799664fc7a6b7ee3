import { isDeviceNamed } from '../../../../shared/settings/audio-settings.ts';
import { appError, type AppError } from '../../../../shared/errors/app-error.ts';
import { toSafeJson, stripControlCharacters } from '../../../../shared/text.ts';
import { describeAppError, englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import type {
  DeviceChoice,
  SoundDevice,
  SoundDriver,
} from '../../../audio/devices/sound-driver.ts';
import {
  CommandError,
  exitCode,
  type OpenParts,
  type Terminal,
  terminalCommand,
} from '../terminal-command.ts';
import { jsonOption } from '../options/connection-options.ts';
import { displayWidth } from '../views/display-width.ts';

export const devicesCommand = terminalCommand(
  {
    name: 'devices',
    summary: 'list the microphones and speakers',
    options: jsonOption,
    notes: [
      'Use a name with parley talk --mic=NAME or --speaker=NAME.',
      'Exit: 0 done, 2 wrong usage, 4 no sound device',
    ],
  },
  async ({ options }, terminal, openCore: OpenParts<'sound'>) => {
    const { sound } = await openCore();
    const devices = await listDevices(sound);
    if (devices.length === 0) {
      terminal.err(`${englishErrorMessage(appError('noSoundDevices'))}\n`);
      return exitCode.noDevice;
    }
    (options.json ? printJson : printTable)(terminal, devices);
    return exitCode.done;
  },
);

function printJson({ out }: Terminal, devices: readonly SoundDevice[]): void {
  for (const device of devices) out(`${toSafeJson({ event: 'device', ...device })}\n`);
}

function printTable({ out }: Terminal, devices: readonly SoundDevice[]): void {
  const rows = devices.map((device) => [
    stripControlCharacters(device.name),
    stripControlCharacters(device.hostApi),
    channels(device.inputChannels, 'in'),
    channels(device.outputChannels, 'out'),
    `${device.rate} Hz`,
    describeDefault(device),
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...rows.map((row) => displayWidth(row[column] ?? ''))),
  );
  for (const row of rows) {
    const cells = row.map((cell, column) => {
      const missing = Math.max(0, (widths[column] ?? 0) - displayWidth(cell));
      return `${cell}${' '.repeat(missing)}`;
    });
    out(`${cells.join('  ').trimEnd()}\n`);
  }
}

function channels(count: number, direction: 'in' | 'out'): string {
  return count === 0 ? '' : `${count} ${direction}`;
}

function describeDefault({ defaultInput, defaultOutput }: SoundDevice): string {
  if (defaultInput && defaultOutput) return 'default microphone and speaker';
  if (defaultInput) return 'default microphone';
  return defaultOutput ? 'default speaker' : '';
}

export type SoundDeviceKind = 'microphone' | 'speaker';

/** Lists the devices. Ends the command if there is no sound system. */
export async function listDevices(
  sound: Pick<SoundDriver, 'devices'>,
): Promise<readonly SoundDevice[]> {
  const devices = await sound.devices();
  if (devices.ok) return devices.value;
  throw noDevice(devices.error);
}

/** Ends the command unless the chosen device exists. A named device is never replaced by another. */
export function requireDevice(
  devices: readonly SoundDevice[],
  use: SoundDeviceKind,
  choice: DeviceChoice,
): void {
  if (devices.length === 0) throw noDevice(appError('noSoundDevices'));
  const usable = devices.filter((device) => channelsFor(device, use) > 0);
  if (usable.length === 0) {
    throw noDevice(appError(use === 'microphone' ? 'noMicrophone' : 'noSpeaker'));
  }
  if (choice === 'default' || usable.some((device) => isDeviceNamed(device, choice.name))) return;
  const known = [...new Set(usable.map(({ name }) => `“${name}”`))].join(', ');
  throw noDevice(appError('deviceMissing', { device: choice.name, known }));
}

function noDevice(error: AppError): CommandError {
  return new CommandError(describeAppError(error), exitCode.noDevice);
}

export function channelsFor(device: SoundDevice, use: SoundDeviceKind): number {
  return use === 'microphone' ? device.inputChannels : device.outputChannels;
}
