import { stripControlCharacters } from '../../../../shared/sanitize-text.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import type { MadeReport } from '../../../app/reports/report-maker.ts';
import { CommandError, exitCode } from '../exit-code.ts';
import { unwrapOrExit } from '../options/command-files.ts';
import { type OpenCore, type Terminal, terminalCommand } from '../terminal-command.ts';
import type { TerminalCore } from '../terminal-core.ts';

/** Prepares a problem report, shows its content, and saves it only with `--yes`. */
export const reportCommand = terminalCommand(
  {
    name: 'report',
    summary: 'make a report of a problem, with nobody’s words in it; nothing is sent',
    word: {
      name: 'TAPE',
      about: 'the tape of the talk that went wrong, a folder or a .parleytape; it may be left out',
      missing: '',
      optional: true,
      file: true,
    },
    options: {
      output: {
        value: 'FILE.zip',
        file: true,
        about: 'the new file; parley-report.zip where it is left out',
      },
      yes: { about: 'saves it; without this only what would be in it is shown' },
    },
    notes: [
      'It has versions, the last lines of the log and the tape: words masked, voices noise, pictures blurred, names out.',
      'Exit: 0 it is saved, or shown; 1 it could not be made; 2 TAPE is no tape',
    ],
  },
  async ({ word, options }, terminal, openCore: OpenCore<Pick<TerminalCore, 'reports'>>) => {
    const { reports } = await openCore();
    const report = unwrapOrExit(await reports.make(word?.replace(/\/+$/u, '')));
    try {
      const target = options.output ?? 'parley-report.zip';
      show(report, terminal, !options.yes);
      if (!options.yes) {
        terminal.out(`Nothing is saved yet. With --yes this becomes ${target}.\n`);
        return exitCode.done;
      }
      const packed = await report.pack(target);
      if (!packed.ok) throw new CommandError(describeAppError(packed.error), exitCode.failed);
      terminal.out(`${target} is made. Nothing was sent.\n`);
      return exitCode.done;
    } finally {
      await report.remove();
    }
  },
);

function show({ files }: MadeReport, { out }: Terminal, whole: boolean): void {
  for (const { name, bytes, preview } of files) {
    out(`${name}  ${bytes} bytes\n`);
    if (whole) out(`${stripControlCharacters(preview).replaceAll(/^/gmu, '    ')}\n`);
  }
}
