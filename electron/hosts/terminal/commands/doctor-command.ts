import { harmlessJson } from '../../../../shared/harmless-text.ts';
import { describeAppError } from '../../../../shared/i18n/en/describe-app-error.ts';
import { partNames } from '../../../../shared/about.ts';
import type { About, PartReport } from '../../../../shared/about.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import { terminalCommand } from '../terminal-command.ts';
import type { Terminal } from '../terminal-command.ts';
import { checkSound, printSoundJson, printSoundText } from './doctor-sound.ts';
import { hearYourself } from './doctor-own-sound.ts';
import { tryRoom } from './doctor-room.ts';
import { exitCode } from '../exit-code.ts';
import { jsonOption } from '../options/connection-options.ts';

/** Says what this machine has of what Parley needs. */
export const doctorCommand = terminalCommand(
  {
    name: 'doctor',
    summary: 'check what Parley needs on this machine',
    options: {
      'no-sound': { about: 'opens no sound device; else a chirp is played and listened for' },
      'hear-yourself': {
        about: 'listens for five seconds, then plays them as captured and as a server gets them',
      },
      room: {
        value: 'ALONE',
        choices: ['alone'],
        alone: true,
        about:
          'plays a phrase, and once more for you to speak over it (not with =alone), and judges noise, echo and you by what a talk would do',
      },
      'room-into': {
        value: 'DIR',
        file: true,
        needs: 'room',
        about: 'where the recording goes if it is to be kept; without a terminal it is kept there',
      },
      ...jsonOption,
    },
    notes: [
      'Exit: 0 done, also when the chirp did not come back or a room could not be judged; 1 a library is missing; 2 wrong usage',
    ],
  },
  async ({ options }, terminal, parley) => {
    const reports = await checkParts(parley);
    (options.json ? printJson : printText)(terminal, parley.about, reports);
    if (!options['no-sound']) {
      const sound = await checkSound(parley, terminal);
      (options.json ? printSoundJson : printSoundText)(terminal, sound);
    }
    if (options['hear-yourself']) await hearYourself(parley, terminal, options.json);
    if (options.room !== undefined) {
      const { json, 'room-into': into } = options;
      await tryRoom(parley, terminal, { json, into, alone: options.room === 'alone' });
    }
    return reports.every((report) => report.state === 'loads') ? exitCode.done : exitCode.failed;
  },
);

/** Asks through the same contract as the screens do, so that what they rely on is what is checked. */
async function checkParts({ answer, notices }: Parley): Promise<readonly PartReport[]> {
  const reports: PartReport[] = [];
  const everyPart = new Promise<void>((resolve) => {
    const stop = notices.listen((notice) => {
      if (notice.name !== 'partChecked') return;
      reports.push(notice.payload);
      if (reports.length < partNames.length) return;
      stop();
      resolve();
    });
  });
  const reply = await answer('checkParts', { parts: partNames });
  if (!reply.ok) throw new Error(describeAppError(reply.error));
  await everyPart;
  return reports.toSorted((a, b) => partNames.indexOf(a.part) - partNames.indexOf(b.part));
}

function printText({ out }: Terminal, about: About, reports: readonly PartReport[]): void {
  out(`${about.name} ${about.version}, ${about.host} host\n`);
  for (const { name, version } of about.runtime) out(`${name.padEnd(12)}${version}\n`);
  for (const report of reports) {
    const finding = report.state === 'loads' ? `loads (${report.detail})` : report.reason;
    out(`${partTitles[report.part].padEnd(12)}${finding}\n`);
  }
}

const partTitles: Readonly<Record<PartReport['part'], string>> = {
  portaudio: 'PortAudio',
  sharp: 'sharp',
};

function printJson({ out }: Terminal, about: About, reports: readonly PartReport[]): void {
  out(`${harmlessJson({ event: 'about', ...about })}\n`);
  for (const report of reports) out(`${harmlessJson({ event: 'part', ...report })}\n`);
}
