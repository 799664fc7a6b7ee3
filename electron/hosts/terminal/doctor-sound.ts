import type { LoopbackResult } from '../../../shared/sound/loopback-result.ts';
import { testLoopback } from '../../audio/loopback-test.ts';
import type { Parley } from '../../compose.ts';
import type { SoundDevice } from '../../ports/sound.ts';
import type { Terminal } from './command.ts';
import { channelsFor, noDevices } from './sound-devices.ts';
import type { DeviceUse } from './sound-devices.ts';
import { harmless } from './text-width.ts';

/** What this machine has of sound, and whether what is played can be heard. */
export interface SoundReport {
  readonly microphone: SoundDevice | undefined;
  readonly speaker: SoundDevice | undefined;
  readonly loopback: LoopbackResult;
}

/** Trouble with sound is told, never thrown: Parley works without, by text. */
export async function checkSound(parley: Parley, { err }: Terminal): Promise<SoundReport> {
  const listed = await parley.sound.devices();
  const devices = listed.ok ? listed.value : [];
  const microphone = usual(devices, 'microphone');
  const speaker = usual(devices, 'speaker');
  const without = (reason: string): SoundReport => ({
    microphone,
    speaker,
    loopback: { heard: false, reason },
  });
  if (!listed.ok) return without(listed.problem);
  if (devices.length === 0) return without(noDevices);
  if (microphone === undefined) return without('There is no microphone: connect one.');
  if (speaker === undefined) return without('There is no speaker: connect one.');
  err('Playing a chirp and listening for it…\n');
  return { microphone, speaker, loopback: await testLoopback(parley) };
}

function usual(devices: readonly SoundDevice[], use: DeviceUse): SoundDevice | undefined {
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
  line('Loopback', loopback.heard ? heardWords(loopback) : loopback.reason);
  const permission = permissionWords(process.platform);
  if (permission !== undefined) line('Permission', permission);
}

function describe(device: SoundDevice | undefined): string {
  if (device === undefined) return 'none';
  return `${harmless(device.name)} (${harmless(device.hostApi)}, ${device.rate} Hz)`;
}

function heardWords({ latencyMs, levelDb }: Extract<LoopbackResult, { heard: true }>): string {
  const size = `${Math.abs(levelDb).toFixed(1)} dB`;
  const level = levelDb > 0 ? `${size} louder than` : `${size} quieter than`;
  const played = levelDb === 0 ? 'as loud as' : level;
  return `The chirp came back after ${latencyMs} ms, ${played} it was played.`;
}

/**
 * Who has to be asked for the microphone, and where. Elsewhere there is nobody to ask: on Linux a
 * device that may not be opened says so itself.
 */
export function permissionWords(platform: NodeJS.Platform): string | undefined {
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
    if (device !== undefined) out(`${JSON.stringify({ event: 'device', use, ...device })}\n`);
  }
  out(`${JSON.stringify({ event: 'loopback', ...report.loopback })}\n`);
}
