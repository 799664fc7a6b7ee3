import { stripControlCharacters } from '../../../../shared/text.ts';
import type { MadeReport } from '../../../app/report-maker.ts';
import {
  exitCode,
  type OpenCore,
  type Terminal,
  type TerminalCore,
  terminalCommand,
} from '../terminal-command.ts';
import { tapeOrExit, unwrapOrFail } from '../options/command-files.ts';

interface ReportCore {
  readonly reports: Pick<TerminalCore['reports'], 'make'>;
}

/** Prepares a problem report, shows its content, and saves it only with `--yes`. */
export const reportCommand = terminalCommand(
  {
    name: 'report',
    summary: 'create a problem report without anyone’s words; nothing is sent',
    word: {
      name: 'TAPE',
      about: 'the tape of the talk with the problem; optional',
      missing: '',
      optional: true,
      file: true,
    },
    options: {
      output: {
        value: 'FILE.zip',
        file: true,
        about: 'the file to create (default: parley-report.zip)',
      },
      yes: { about: 'saves the report; without --yes its contents are only shown' },
    },
    notes: [
      'A report contains versions, the end of the log and the tape. Words are masked, voices replaced by noise, pictures blurred and names removed.',
      'Exit: 0 saved or shown; 1 could not be created; 2 TAPE is not a tape',
    ],
  },
  async ({ word, options }, terminal, openCore: OpenCore<ReportCore>) => {
    const { reports } = await openCore();
    const made = await reports.make(word?.replace(/\/+$/u, ''));
    const report = word === undefined ? unwrapOrFail(made) : tapeOrExit(made, word);
    try {
      const target = options.output ?? 'parley-report.zip';
      show(report, terminal, !options.yes);
      if (!options.yes) {
        terminal.out(`Nothing is saved yet. Add --yes to save this as ${target}.\n`);
        return exitCode.done;
      }
      unwrapOrFail(await report.pack(target));
      terminal.out(`${target} was created. Nothing was sent.\n`);
      return exitCode.done;
    } finally {
      await report.remove();
    }
  },
);

function show({ files }: MadeReport, { out }: Terminal, withContents: boolean): void {
  for (const { name, bytes, preview } of files) {
    out(`${name}  ${bytes} bytes\n`);
    if (withContents) out(`${stripControlCharacters(preview).replaceAll(/^/gmu, '    ')}\n`);
  }
}
