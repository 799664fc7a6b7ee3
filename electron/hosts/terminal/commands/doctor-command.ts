import { z } from 'zod';
import {
  type About,
  nativeLibraryNames,
  type NativeLibraryReport,
} from '../../../../shared/app/program.ts';
import {
  type LoopbackResult,
  type OwnSoundVerdict,
  ownSoundVerdicts,
  ownSoundVersions,
} from '../../../../shared/audio/sound-tests.ts';
import { appError, type AppError } from '../../../../shared/errors/app-error.ts';
import { stripControlCharacters } from '../../../../shared/text.ts';
import { describeAppError, englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import { englishOwnSound } from '../../../../shared/i18n/en/settings-panels.ts';
import { LoopbackTest } from '../../../audio/devices/loopback-test.ts';
import type { SoundDevice } from '../../../audio/devices/sound-driver.ts';
import {
  exitCode,
  type Terminal,
  terminalCommand,
  type TerminalCore,
} from '../terminal-command.ts';
import { jsonOption } from '../options/connection-options.ts';
import { channelsFor, type SoundDeviceKind } from './devices-command.ts';
import { printFacts, printFinding, runRoomTest } from './doctor-room.ts';

export const doctorCommand = terminalCommand(
  {
    name: 'doctor',
    summary: 'check what Parley needs on this machine',
    options: {
      'no-sound': { about: 'skips the sound test, which plays a chirp and records it' },
      'hear-yourself': {
        about:
          'records you for five seconds, then plays the recording as captured and as a server receives it',
      },
      room: {
        value: 'ALONE',
        choices: ['alone'],
        alone: true,
        about:
          'tests the room: plays a phrase, then plays it again while you speak over it (=alone skips that), and rates noise, echo and your voice',
      },
      'room-into': {
        value: 'DIR',
        file: true,
        needs: 'room',
        about: 'the folder for the recording if you keep it; without a terminal it is always kept',
      },
      ...jsonOption,
    },
    notes: [
      'Exit: 0 done, even if the chirp was not heard or the room could not be rated; 1 a library is missing; 2 wrong usage',
    ],
  },
  async ({ options }, terminal, openCore) => {
    const parley = await openCore();
    const reports = await checkLibraries(parley);
    (options.json ? printJson : printText)(terminal, parley.about, reports);
    if (!options.noSound) {
      const sound = await checkSound(parley, terminal);
      (options.json ? printSoundJson : printSoundText)(terminal, sound);
    }
    if (options.hearYourself) await hearYourself(parley, terminal, options.json);
    if (options.room !== undefined) {
      const { json, roomInto: into } = options;
      await runRoomTest(parley, terminal, { json, into, alone: options.room === 'alone' });
    }
    return reports.every((report) => report.state === 'loads') ? exitCode.done : exitCode.failed;
  },
);

/** Checks the native libraries through the requests that pages send, so that the check covers the requests, too. */
async function checkLibraries({
  answer,
  notices,
}: TerminalCore): Promise<readonly NativeLibraryReport[]> {
  const reports: NativeLibraryReport[] = [];
  const everyLibrary = new Promise<void>((resolve) => {
    const stop = notices.listen((notice) => {
      if (notice.name !== 'libraryChecked') return;
      reports.push(notice.payload);
      if (reports.length < nativeLibraryNames.length) return;
      stop();
      resolve();
    });
  });
  const reply = await answer('checkLibraries', { libraries: nativeLibraryNames });
  if (!reply.ok) throw new Error(describeAppError(reply.error));
  await everyLibrary;
  return reports.toSorted(
    (a, b) => nativeLibraryNames.indexOf(a.library) - nativeLibraryNames.indexOf(b.library),
  );
}

function printText(
  terminal: Terminal,
  about: About,
  reports: readonly NativeLibraryReport[],
): void {
  terminal.out(`${about.name} ${about.version}, ${about.host} host\n`);
  for (const { name, version } of about.runtime) printFinding(terminal, name, version);
  for (const report of reports) {
    const finding = report.state === 'loads' ? `loads (${report.detail})` : report.reason;
    printFinding(terminal, libraryTitles[report.library], finding);
  }
}

const libraryTitles: Readonly<Record<NativeLibraryReport['library'], string>> = {
  portaudio: 'PortAudio',
  libvips: 'libvips',
};

function printJson(
  terminal: Terminal,
  about: About,
  reports: readonly NativeLibraryReport[],
): void {
  printFacts(terminal, 'about', about);
  for (const { library, ...state } of reports)
    printFacts(terminal, 'part', { part: library, ...state });
}

/** The sound devices, and whether the microphone hears the speaker. */
export interface SoundReport {
  readonly microphone: SoundDevice | undefined;
  readonly speaker: SoundDevice | undefined;
  readonly loopback: LoopbackResult;
}

/** Tests the sound. Reports problems and never throws, because Parley also works by text. */
async function checkSound(parley: TerminalCore, { err }: Terminal): Promise<SoundReport> {
  const listed = await parley.sound.devices();
  const devices = listed.ok ? listed.value : [];
  const microphone = defaultDevice(devices, 'microphone');
  const speaker = defaultDevice(devices, 'speaker');
  const untested = (error: AppError): SoundReport => ({
    microphone,
    speaker,
    loopback: { heard: false, error },
  });
  if (!listed.ok) return untested(listed.error);
  if (devices.length === 0) return untested(appError('noSoundDevices'));
  if (microphone === undefined) return untested(appError('noMicrophone'));
  if (speaker === undefined) return untested(appError('noSpeaker'));
  err('Playing a chirp and recording it…\n');
  return { microphone, speaker, loopback: await new LoopbackTest(parley, parley.clock).run() };
}

function defaultDevice(
  devices: readonly SoundDevice[],
  use: SoundDeviceKind,
): SoundDevice | undefined {
  const usable = devices.filter((device) => channelsFor(device, use) > 0);
  const key = use === 'microphone' ? 'defaultInput' : 'defaultOutput';
  return usable.find((device) => device[key]) ?? usable[0];
}

function printSoundText(terminal: Terminal, { microphone, speaker, loopback }: SoundReport): void {
  printFinding(terminal, 'Microphone', describe(microphone));
  printFinding(terminal, 'Speaker', describe(speaker));
  const heard = loopback.heard ? heardText(loopback) : englishErrorMessage(loopback.error);
  printFinding(terminal, 'Loopback', heard);
  const permission = permissionText(process.platform);
  if (permission !== undefined) printFinding(terminal, 'Permission', permission);
}

function describe(device: SoundDevice | undefined): string {
  if (device === undefined) return 'none';
  return `${stripControlCharacters(device.name)} (${stripControlCharacters(device.hostApi)}, ${device.rate} Hz)`;
}

function heardText({
  latencyMs,
  levelDb,
  noiseDb,
}: Extract<LoopbackResult, { heard: true }>): string {
  const difference = `${Math.abs(levelDb).toFixed(1)} dB ${levelDb > 0 ? 'louder' : 'quieter'} than`;
  const loudness = levelDb === 0 ? 'as loud as' : difference;
  return `The chirp came back after ${latencyMs} ms, ${loudness} it was played; the room before it: ${noiseDb} dBFS.`;
}

/**
 * Tells where the user grants access to the microphone. Undefined on Linux, which has no such permission.
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

function printSoundJson(terminal: Terminal, report: SoundReport): void {
  for (const use of ['microphone', 'speaker'] as const) {
    const device = report[use];
    if (device !== undefined) printFacts(terminal, 'device', { use, ...device });
  }
  printFacts(terminal, 'loopback', loopbackFields(report.loopback));
}

function loopbackFields(loopback: LoopbackResult): object {
  if (loopback.heard) return loopback;
  return { heard: false, reason: englishErrorMessage(loopback.error) };
}

/** Plays the user's voice before and after processing, without storing it. */
export async function hearYourself(
  { answer }: Pick<TerminalCore, 'answer'>,
  terminal: Terminal,
  json: boolean,
): Promise<void> {
  const { err } = terminal;
  err(`${englishOwnSound.recording}\n`);
  const recorded = await answer('recordOwnSound', undefined);
  if (!recorded.ok)
    return printOwnSound(terminal, json, { reason: englishErrorMessage(recorded.error) });
  const verdict = z.enum(ownSoundVerdicts).parse(recorded.value);
  printOwnSound(terminal, json, { verdict });
  if (verdict === 'unheard') return;
  for (const version of ownSoundVersions) {
    err(`${englishOwnSound.ways[version]}…\n`);
    const played = await answer('playOwnSound', { as: version });
    if (!played.ok)
      return printOwnSound(terminal, json, { reason: englishErrorMessage(played.error) });
  }
  await answer('forgetOwnSound', undefined);
}

function printOwnSound(
  terminal: Terminal,
  json: boolean,
  result: { readonly verdict: OwnSoundVerdict } | { readonly reason: string },
): void {
  const sentence = 'reason' in result ? result.reason : englishOwnSound.verdict[result.verdict];
  if (json) printFacts(terminal, 'ownSound', result);
  else printFinding(terminal, 'Yourself', sentence);
}
