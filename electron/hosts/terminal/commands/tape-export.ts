import type { AppError } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/describe-app-error.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import { tapeStem } from '../../../recorder/recording/tape-place.ts';
import type { ExportForm } from '../../../../shared/export/export-form.ts';
import { CommandError, exitCode, UsageError } from '../exit-code.ts';
import type { ExitCode } from '../exit-code.ts';
import { unwrapOrExit } from '../options/command-files.ts';
import type { Terminal } from '../terminal-command.ts';

interface WantedExport {
  readonly tape: string;
  readonly as: ExportForm | undefined;
  readonly mix: boolean;
  readonly output: string | undefined;
}

/** Makes one file of a tape; Ctrl-C gives it up. */
export async function exportTape(
  { tape, as, mix, output }: WantedExport,
  terminal: Terminal,
  { openExport }: Pick<Parley, 'openExport'>,
): Promise<ExitCode> {
  if (as === undefined) throw new UsageError('Say what to make of it: --as md, wav, mp4, zip….');
  const target = output ?? `${tapeStem(tape)}.${as}`;
  if (target === tape) throw new UsageError(`${tape} is one file already.`);
  const { exporter, leave } = unwrapOrExit(await openExport(tape));
  const stopListening = terminal.onInterrupt?.(() => {
    exporter.stop();
  });
  const written = await exporter.write(as, target, mix);
  stopListening?.();
  await leave();
  if (!written.ok) throw new CommandError(describeAppError(written.error), codeOf(written.error));
  terminal.out(`${target} is made.\n`);
  return exitCode.done;
}

function codeOf({ code }: AppError): ExitCode {
  return code === 'tapeExportWordless' || code === 'replayOfChat'
    ? exitCode.wrongUsage
    : exitCode.failed;
}
