import { harmlessJson, harmlessText } from '../../../../shared/harmless-text.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import type { AppError } from '../../../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/describe-app-error.ts';
import type { LoopbackResult } from '../../../../shared/sound/loopback-result.ts';
import { testLoopback } from '../../../sound/devices/loopback-test.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import type { SoundDevice } from '../../../ports/sound.ts';
import type { Terminal } from '../terminal-command.ts';
import { channelsFor } from './sound-devices.ts';
import type { SoundDeviceKind } from './sound-devices.ts';

/** What this machine has of sound, and whether what is played can be heard. */
export interface SoundReport {
  readonly microphone: SoundDevice | undefined;
  readonly speaker: SoundDevice | undefined;
  readonly loopback: LoopbackResult;
}

/** Trouble with sound is reported, never thrown: Parley works without, by text. */
export async function checkSound(parley: Parley, { err }: Terminal): Promise<SoundReport> {
  const listed = await parley.sound.devices();
  const devices = listed.ok ? listed.value : [];
  const microphone = defaultDevice(devices, 'microphone');
  const speaker = defaultDevice(devices, 'speaker');
  const without = (error: AppError): SoundReport => ({
    microphone,
    speaker,
    loopback: { heard: false, error },
  });
  if (!listed.ok) return without(listed.error);
  if (devices.length === 0) return without(appError('noSoundDevices'));
  if (microphone === undefined) return without(appError('noMicrophone'));
  if (speaker === undefined) return without(appError('noSpeaker'));
  err('Playing a chirp and listening for it…\n');
  return { microphone, speaker, loopback: await testLoopback(parley) };
}

function defaultDevice(
  devices: readonly SoundDevice[],
  use: SoundDeviceKind,
): SoundDevice | undefined {
  const usable = devices.filter((device) => channelsFor(device, use) > 0);
  const key = use === 'microphone' ? 'defaultInput' : 'defaultOutput';
  return usable.find((device) => device[key]) ?? usable[0];
}

const titleWidth = 12;

export function printSoundText({ out }: Terminal, report: SoundReport): void {
  const { microphone, speaker, loopback } = report;
  const line = (title: string, text: string): void => {
    out(`${title.padEnd(titleWidth)}${text}\n`);
  };
  line('Microphone', describe(microphone));
  line('Speaker', describe(speaker));
  line('Loopback', loopback.heard ? heardText(loopback) : englishErrorMessage(loopback.error));
  const permission = permissionText(process.platform);
  if (permission !== undefined) line('Permission', permission);
}

function describe(device: SoundDevice | undefined): string {
  if (device === undefined) return 'none';
  return `${harmlessText(device.name)} (${harmlessText(device.hostApi)}, ${device.rate} Hz)`;
}

function heardText({
  latencyMs,
  levelDb,
  noiseDb,
}: Extract<LoopbackResult, { heard: true }>): string {
  const size = `${Math.abs(levelDb).toFixed(1)} dB`;
  const level = levelDb > 0 ? `${size} louder than` : `${size} quieter than`;
  const played = levelDb === 0 ? 'as loud as' : level;
  return `The chirp came back after ${latencyMs} ms, ${played} it was played; the room before it: ${noiseDb} dBFS.`;
}

/**
 * Who has to be asked for the microphone, and where. Elsewhere there is nobody to ask: on Linux a
 * device that may not be opened says so itself.
 */
export function permissionText(platform: NodeJS.Platform): string | undefined {
  if (platform === 'darwin') {
    return 'the terminal needs the microphone: System Settings › Privacy & Security › Microphone';
  }
  if (platform === 'win32') {
    return 'desktop apps need the microphone: Settings › Privacy & security › Microphone';
  }
  return undefined;
}

export function printSoundJson({ out }: Terminal, report: SoundReport): void {
  for (const use of ['microphone', 'speaker'] as const) {
    const device = report[use];
    if (device !== undefined) out(`${harmlessJson({ event: 'device', use, ...device })}\n`);
  }
  out(`${harmlessJson({ event: 'loopback', ...loopbackFields(report.loopback) })}\n`);
}

function loopbackFields(loopback: LoopbackResult): object {
  if (loopback.heard) return loopback;
  return { heard: false, reason: englishErrorMessage(loopback.error) };
}
