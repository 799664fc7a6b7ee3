import type { AppError, Outcome } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import { type ExportFormat, exportFormats } from '../../../../shared/recordings/export-format.ts';
import { toSafeJson } from '../../../../shared/text.ts';
import type { TapeTools } from '../../../recordings/edit/tape-tools.ts';
import type { TapeHealth } from '../../../recordings/tape/inspect-tape.ts';
import { normalizeTapePath, tapeStem } from '../../../recordings/tape/tape-archive.ts';
import {
  CommandError,
  exitCode,
  type ExitCode,
  UsageError,
  type OpenCore,
  type Terminal,
  terminalCommand,
  type TerminalCore,
} from '../terminal-command.ts';
import { localRecordingTime, tapeOrExit } from '../options/command-files.ts';
import type { CommandSpec } from '../options/command-spec.ts';
import { jsonOption } from '../options/connection-options.ts';

/** The range of a time in seconds: no tape is longer than a week. */
const timeRange = { min: 0, max: 604_800 };

const tapeCommandSpec = {
  name: 'tape',
  summary: 'check, repair, redact, cut or export a tape (a recorded talk)',
  word: {
    name: 'check|repair|redact|cut|export',
    about: {
      check: 'describes a tape, and how much of it can be played',
      repair: 'copies the undamaged part to a new tape',
      redact:
        'creates a tape for a report: it replays alike, without anyone’s words, voice, pictures or names',
      cut: 'copies a section to a new tape',
      export: 'exports the words, the sound, the pictures, or everything',
    },
    missing: 'Name an action: parley tape check, repair, redact, cut or export.',
  },
  object: {
    name: 'TAPE',
    about:
      'a folder written by parley talk --tape, its tape.ndjson, a .parleytape file, or for export also the folder of a talk’s text',
    missing: 'Name a tape: parley tape check TAPE.',
    file: true,
  },
  options: {
    from: {
      value: 'SECONDS',
      range: timeRange,
      about: 'with cut: where it starts (default: the tape’s start)',
    },
    to: {
      value: 'SECONDS',
      range: timeRange,
      about: 'with cut: where it ends (default: the tape’s end)',
    },
    output: {
      value: 'PATH',
      file: true,
      about:
        'a new or empty folder, or a .parleytape file (default: TAPE-repaired, TAPE-redacted or TAPE-cut); with export: a file (default: TAPE with the format’s extension)',
    },
    as: {
      value: 'KIND',
      choices: exportFormats,
      about:
        'with export: a transcript (md, txt, json), captions (vtt, srt), sound (wav, flac), a video (mp4), all of these (zip), or the tape as one file (parleytape)',
    },
    mix: {
      about: 'mixes both voices into one channel (default: you left, Parley right)',
    },
    ...jsonOption,
  },
  notes: [
    'flac and mp4 need ffmpeg; without it, a zip has no video.',
    'A cut drops sound that arrived before its start, so it may begin with a second of silence.',
    'Exit: 0 undamaged, 1 damaged or changed, 2 not a tape',
  ],
} as const satisfies CommandSpec;

interface TapeCore extends Pick<TerminalCore, 'openExport'> {
  readonly tapeTools: () => Promise<Pick<TapeTools, 'check' | 'repair' | 'redact' | 'cut'>>;
}

export const tapeCommand = terminalCommand(
  tapeCommandSpec,
  async ({ word, object, options }, terminal, openCore: OpenCore<TapeCore>) => {
    // Otherwise the user would think that only the section is exported, and send the whole talk to somebody.
    if (word !== 'cut' && (options.from ?? options.to) !== undefined)
      terminal.err('--from and --to are ignored: they belong to parley tape cut.\n');
    const parley = await openCore();
    const { json } = options;
    const path = normalizeTapePath(object);
    // Files beside the tape are named after its folder.
    const tape = path === '.' ? process.cwd() : path;
    if (word === 'export') return exportTape({ ...options, tape }, terminal, parley);
    const tools = await parley.tapeTools();
    if (word === 'check') return check(tape, await tools.check(tape), json, terminal);
    const into = normalizeTapePath(options.output ?? `${tapeStem(tape)}-${suffixes[word]}`);
    // An archive must not be replaced by its own copy. The tools themselves refuse a folder that is not empty.
    if (into === tape && into !== tapeStem(into))
      throw new UsageError(`--output must not be the tape itself (${tape}): name another path.`);
    const health = tapeOrExit(
      await (word === 'cut'
        ? tools.cut(tape, into, readSection(options))
        : tools[word](tape, into)),
      tape,
      // A target that cannot be written is named wrongly.
      into,
    );
    terminal.out(
      json ? `${toJson(health)}\n` : `${into} was created: ${formatSeconds(health.seconds)}.\n`,
    );
    return exitCode.done;
  },
);

const suffixes = { repair: 'repaired', redact: 'redacted', cut: 'cut' } as const;

function readSection({
  from,
  to,
}: {
  readonly from?: number | undefined;
  to?: number | undefined;
}) {
  if (from === undefined && to === undefined)
    throw new UsageError('Name the section: parley tape cut TAPE --from 12.5 --to 31.');
  const section = { from: (from ?? 0) * 1000, to: (to ?? Infinity) * 1000 };
  if (section.from >= section.to) throw new UsageError('--to must be later than --from.');
  return section;
}

function check(
  tape: string,
  outcome: Outcome<TapeHealth>,
  json: boolean,
  terminal: Terminal,
): ExitCode {
  const health = tapeOrExit(outcome, tape);
  const { state, header, seconds, gaps, damage, missing, changed = [] } = health;
  if (json) terminal.out(`${toJson(health)}\n`);
  else {
    const kind = header.mode === 'chat' ? 'A conversation' : `A talk (${header.mode})`;
    terminal.out(
      `${kind} of ${localRecordingTime(header)}, ${formatSeconds(seconds)}, ${stateTexts[state]}.\n`,
    );
    if (gaps > 0) terminal.out(`Parts could not be recorded: it has gaps (${gaps}).\n`);
    if (damage !== undefined) terminal.out(`${describeAppError(damage)}\n`);
    if (changed.length > 0) terminal.out(`Changed since the recording: ${formatNames(changed)}.\n`);
    if (missing.length > 0) terminal.out(`Missing: ${formatNames(missing)}.\n`);
  }
  return state === 'damaged' || state === 'changed' ? exitCode.failed : exitCode.done;
}

const stateTexts = {
  whole: 'complete',
  changed: 'changed since it was recorded',
  early: 'complete, but ends before its talk did',
  damaged: 'damaged after that: parley tape repair saves the rest',
} as const satisfies Readonly<Record<TapeHealth['state'], string>>;

function formatNames(names: readonly string[]): string {
  const maxNames = 10;
  const others = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return `${names.slice(0, maxNames).join(', ')}${others}`;
}

function formatSeconds(seconds: number): string {
  return `${seconds.toFixed(1)} seconds`;
}

function toJson({ header, damage, ...rest }: TapeHealth): string {
  const { mode, dialect, endpoint, recordedAt } = header;
  const damageFields =
    damage === undefined ? {} : { damage: damage.code, says: describeAppError(damage) };
  return toSafeJson({ mode, dialect, endpoint, recordedAt, ...rest, ...damageFields });
}

interface ExportRequest {
  readonly tape: string;
  readonly as: ExportFormat | undefined;
  readonly mix: boolean;
  readonly output: string | undefined;
}

/** Exports a tape to one file. Ctrl-C cancels. */
async function exportTape(
  { tape, as, mix, output }: ExportRequest,
  terminal: Terminal,
  { openExport }: Pick<TerminalCore, 'openExport'>,
): Promise<ExitCode> {
  if (as === undefined) throw new UsageError('Name a format: --as md, wav, mp4, zip….');
  const target = output ?? `${tapeStem(tape)}.${as}`;
  if (target === tape) throw new UsageError(`${tape} is a single file already.`);
  const { exporter, release } = tapeOrExit(await openExport(tape), tape);
  const stopListening = terminal.onInterrupt?.(() => exporter.stop());
  const written = await exporter.write(as, target, mix);
  stopListening?.();
  await release();
  if (!written.ok)
    throw new CommandError(describeAppError(written.error), exportExitCode(written.error));
  terminal.out(`${target} was created.\n`);
  return exitCode.done;
}

function exportExitCode({ code }: AppError): ExitCode {
  return code === 'tapeExportTextOnly' || code === 'replayOfChat'
    ? exitCode.wrongUsage
    : exitCode.failed;
}
