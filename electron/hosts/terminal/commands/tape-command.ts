import type { AppError, Outcome } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import { type ExportForm, exportForms } from '../../../../shared/recordings/export-form.ts';
import type { TapeTools } from '../../../recordings/edit/tape-tools.ts';
import type { TapeHealth } from '../../../recordings/tape/check-tape.ts';
import { normalizeTapePath, tapeStem } from '../../../recordings/tape/open-tape.ts';
import { CommandError, exitCode, type ExitCode, UsageError } from '../exit-code.ts';
import { unwrapOrExit } from '../options/command-files.ts';
import type { CommandSpec } from '../options/command-spec.ts';
import { jsonOption } from '../options/connection-options.ts';
import { type OpenCore, type Terminal, terminalCommand } from '../terminal-command.ts';
import type { TerminalCore } from '../terminal-core.ts';

/** A week, in seconds; no tape is longer. */
const moments = { min: 0, max: 604_800 };

const tapeCommandSpec = {
  name: 'tape',
  summary: 'look at a tape, mend it, or make files for others of it',
  word: {
    name: 'check|repair|redact|cut|export',
    about: {
      check: 'says what a tape is, and how much of it can be played',
      repair: 'makes a new tape of what is whole; the old one is left as it is',
      redact:
        'makes a new tape that replays the same with nobody’s words, voices, pictures and names: for a report',
      cut: 'makes a tape of a stretch of it, from one moment to another, that can be played by itself',
      export: 'makes a file of its words, its sound, its pictures, or of all of it',
    },
    missing: 'tape needs a word: check, repair, redact, cut or export.',
  },
  object: {
    name: 'TAPE',
    about:
      'the folder that parley talk --tape made, its tape.ndjson, a .parleytape, or for an export the folder of a talk’s text',
    missing: 'Say which tape: parley tape check TAPE.',
    file: true,
  },
  options: {
    from: {
      value: 'SECONDS',
      range: moments,
      about: 'where the stretch begins that is cut out; at the beginning, where it is left out',
    },
    to: {
      value: 'SECONDS',
      range: moments,
      about: 'where it ends; at the end, where it is left out',
    },
    output: {
      value: 'PATH',
      file: true,
      about:
        'the new or empty folder that repair, redact and cut fill, or a .parleytape; TAPE-repaired, -redacted or -cut where it is left out; the file that export makes, TAPE.md and so on',
    },
    as: {
      value: 'KIND',
      choices: exportForms,
      about:
        'what export makes: a transcript (md, txt, json), captions (vtt, srt), sound (wav, flac), a video (mp4), all of these (zip), or the tape itself as one file (parleytape)',
    },
    mix: {
      about: 'both voices in one channel; otherwise the left is yours, the right what was heard',
    },
    ...jsonOption,
  },
  notes: [
    'flac and mp4 take ffmpeg; a zip is made without a video where there is none.',
    'What came before a stretch and was still to be heard in it is not on it: it may begin with a second of silence.',
    'Exit: 0 all of it can be used, 1 something of it is damaged or was changed, 2 it is no tape',
  ],
} as const satisfies CommandSpec;

interface TapeCore extends Pick<TerminalCore, 'openExport'> {
  readonly tapeTools: () => Promise<Pick<TapeTools, 'check' | 'repair' | 'redact' | 'cut'>>;
}

/** Checks, repairs, redacts, cuts and exports tapes. */
export const tapeCommand = terminalCommand(
  tapeCommandSpec,
  async ({ word, object, options }, terminal, openCore: OpenCore<TapeCore>) => {
    const parley = await openCore();
    const { json } = options;
    const tape = normalizeTapePath(object);
    if (word === 'export') return exportTape({ ...options, tape }, terminal, parley);
    const tools = await parley.tapeTools();
    if (word === 'check') return check(await tools.check(tape), json, terminal);
    const into = normalizeTapePath(options.output ?? `${tapeStem(tape)}-${made[word]}`);
    // Other folders that are not empty are refused later.
    if (into === tape && into !== tapeStem(into))
      throw new UsageError(`${tape} is left as it is: name another --output.`);
    const repaired = tapeOrExit(
      await (word === 'cut'
        ? tools.cut(tape, into, readStretch(options))
        : tools[word](tape, into)),
    );
    terminal.out(
      json ? `${toJson(repaired)}\n` : `${into} is made: ${formatSeconds(repaired.seconds)}.\n`,
    );
    return exitCode.done;
  },
);

const made = { repair: 'repaired', redact: 'redacted', cut: 'cut' } as const;

function readStretch({
  from,
  to,
}: {
  readonly from?: number | undefined;
  to?: number | undefined;
}) {
  if (from === undefined && to === undefined)
    throw new UsageError('Say which stretch: parley tape cut TAPE --from 12.5 --to 31.');
  const stretch = { from: (from ?? 0) * 1000, to: (to ?? Infinity) * 1000 };
  if (stretch.from >= stretch.to) throw new UsageError('--to has to be later than --from.');
  return stretch;
}

function check(outcome: Outcome<TapeHealth>, json: boolean, terminal: Terminal): ExitCode {
  const health = tapeOrExit(outcome);
  const { state, header, seconds, gaps, damage, missing, changed = [] } = health;
  if (json) terminal.out(`${toJson(health)}\n`);
  else {
    const kind = header.mode === 'chat' ? 'A conversation' : `A talk (${header.mode})`;
    terminal.out(`${kind} of ${header.recordedAt}, ${formatSeconds(seconds)}, ${words[state]}.\n`);
    if (gaps > 0) terminal.out(`Something could not be recorded: it has gaps (${gaps}).\n`);
    if (damage !== undefined) terminal.out(`${describeAppError(damage)}\n`);
    if (changed.length > 0) terminal.out(`Not what was recorded: ${formatNames(changed)}.\n`);
    if (missing.length > 0) terminal.out(`Missing: ${formatNames(missing)}.\n`);
  }
  return state === 'damaged' || state === 'changed' ? exitCode.failed : exitCode.done;
}

const words = {
  whole: 'whole',
  changed: 'whole, and changed since it was recorded',
  early: 'whole, and ends before its talk did',
  damaged: 'damaged after that: parley tape repair makes a whole one of it',
} as const satisfies Readonly<Record<TapeHealth['state'], string>>;

function formatNames(names: readonly string[]): string {
  const most = 10;
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names.slice(0, most).join(', ')}${more}`;
}

function formatSeconds(seconds: number): string {
  return `${seconds.toFixed(1)} seconds`;
}

/** A path without a tape and a folder in use are wrong usage; the rest is a failure. */
function tapeOrExit(outcome: Outcome<TapeHealth>): TapeHealth {
  if (outcome.ok || !isFailure(outcome.error)) return unwrapOrExit(outcome);
  throw new CommandError(describeAppError(outcome.error), exitCode.failed);
}

function isFailure({ code }: AppError): boolean {
  return code === 'tapeUnplayable' || code === 'diskFull';
}

function toJson({ header, damage, ...rest }: TapeHealth): string {
  const { mode, dialect, endpoint, recordedAt } = header;
  const why = damage === undefined ? {} : { damage: damage.code, says: describeAppError(damage) };
  return JSON.stringify({ mode, dialect, endpoint, recordedAt, ...rest, ...why });
}

interface ExportRequest {
  readonly tape: string;
  readonly as: ExportForm | undefined;
  readonly mix: boolean;
  readonly output: string | undefined;
}

/** Exports a tape to one file; Ctrl-C cancels. */
async function exportTape(
  { tape, as, mix, output }: ExportRequest,
  terminal: Terminal,
  { openExport }: Pick<TerminalCore, 'openExport'>,
): Promise<ExitCode> {
  if (as === undefined) throw new UsageError('Say what to make of it: --as md, wav, mp4, zip….');
  const target = output ?? `${tapeStem(tape)}.${as}`;
  if (target === tape) throw new UsageError(`${tape} is one file already.`);
  const { exporter, release } = unwrapOrExit(await openExport(tape));
  const stopListening = terminal.onInterrupt?.(() => {
    exporter.stop();
  });
  const written = await exporter.write(as, target, mix);
  stopListening?.();
  await release();
  if (!written.ok)
    throw new CommandError(describeAppError(written.error), exportExitCode(written.error));
  terminal.out(`${target} is made.\n`);
  return exitCode.done;
}

function exportExitCode({ code }: AppError): ExitCode {
  return code === 'tapeExportWordless' || code === 'replayOfChat'
    ? exitCode.wrongUsage
    : exitCode.failed;
}
