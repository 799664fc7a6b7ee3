import type { AppError } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/describe-app-error.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import type { Outcome } from '../../../ports/outcome.ts';
import type { TapeHealth } from '../../../recording/check-tape.ts';
import { CommandError, exitCode } from '../exit-code.ts';
import type { ExitCode } from '../exit-code.ts';
import { unwrapOrExit } from '../options/command-files.ts';
import type { CommandSpec } from '../options/command-spec.ts';
import { jsonOption } from '../options/connection-options.ts';
import { plainTapePath, tapeStem } from '../../../recording/tape-place.ts';
import { exportForms } from '../../../../shared/export/export-form.ts';
import { exportTape } from './tape-export.ts';
import { terminalCommand } from '../terminal-command.ts';
import type { Terminal } from '../terminal-command.ts';

const tapeCommandSpec = {
  name: 'tape',
  summary: 'look at a tape, mend it, or make files for others of it',
  word: {
    name: 'check|repair|redact|export',
    about: {
      check: 'says what a tape is, and how much of it can be played',
      repair: 'makes a new tape of what is whole; the old one is left as it is',
      redact:
        'makes a new tape that replays the same with nobody’s words, voices, pictures and names: for a report',
      export: 'makes a file of its words, its sound, its pictures, or of all of it',
    },
    missing: 'tape needs a word: check, repair, redact or export.',
  },
  object: {
    name: 'TAPE',
    about:
      'the folder that parley talk --tape made, its tape.ndjson, a .parleytape, or for an export the folder of a talk’s text',
    missing: 'Say which tape: parley tape check TAPE.',
    file: true,
  },
  options: {
    output: {
      value: 'PATH',
      file: true,
      about:
        'the new or empty folder that repair and redact fill, TAPE-repaired or TAPE-redacted where it is left out; the file that export makes, TAPE.md and so on',
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
    'Exit: 0 all of it can be used, 1 something of it is damaged or was changed, 2 it is no tape',
  ],
} as const satisfies CommandSpec;

type TapeCore = Pick<Parley, 'checkTape' | 'repairTape' | 'redactTape' | 'openExport'>;

/** Says how much of a tape is whole, and makes whole ones. */
export const tapeCommand = terminalCommand(
  tapeCommandSpec,
  async ({ word, object, options }, terminal, parley: TapeCore) => {
    const { json } = options;
    const tape = plainTapePath(object);
    if (word === 'export') return exportTape({ ...options, tape }, terminal, parley);
    if (word === 'check') return check(await parley.checkTape(tape), json, terminal);
    const into = options.output ?? `${tapeStem(tape)}-${word}ed`;
    const make = word === 'repair' ? parley.repairTape : parley.redactTape;
    const repaired = tapeOrExit(await make(tape, into));
    terminal.out(
      json ? `${jsonOf(repaired)}\n` : `${into} is made: ${sentenceOf(repaired.seconds)}.\n`,
    );
    return exitCode.done;
  },
);

function check(outcome: Outcome<TapeHealth>, json: boolean, terminal: Terminal): ExitCode {
  const health = tapeOrExit(outcome);
  const { state, header, seconds, gaps, damage, missing, changed = [] } = health;
  if (json) terminal.out(`${jsonOf(health)}\n`);
  else {
    const kind = header.mode === 'chat' ? 'A conversation' : `A talk (${header.mode})`;
    terminal.out(`${kind} of ${header.recordedAt}, ${sentenceOf(seconds)}, ${words[state]}.\n`);
    if (gaps > 0) terminal.out(`Something could not be recorded: it has gaps (${gaps}).\n`);
    if (damage !== undefined) terminal.out(`${describeAppError(damage)}\n`);
    if (changed.length > 0) terminal.out(`Not what was recorded: ${listOf(changed)}.\n`);
    if (missing.length > 0) terminal.out(`Missing: ${listOf(missing)}.\n`);
  }
  return state === 'damaged' || state === 'changed' ? exitCode.failed : exitCode.done;
}

const words = {
  whole: 'whole',
  changed: 'whole, and changed since it was recorded',
  early: 'whole up to where its recorder was stopped',
  damaged: 'damaged after that: parley tape repair makes a whole one of it',
} as const satisfies Readonly<Record<TapeHealth['state'], string>>;

function listOf(names: readonly string[]): string {
  const most = 10;
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names.slice(0, most).join(', ')}${more}`;
}

function sentenceOf(seconds: number): string {
  return `${seconds.toFixed(1)} seconds`;
}

/** What is no tape is a wrong argument, and so is a folder that is taken; the rest is a failure. */
function tapeOrExit(outcome: Outcome<TapeHealth>): TapeHealth {
  if (outcome.ok || !isFailure(outcome.error)) return unwrapOrExit(outcome);
  throw new CommandError(describeAppError(outcome.error), exitCode.failed);
}

function isFailure({ code }: AppError): boolean {
  return code === 'tapeUnplayable' || code === 'diskFull';
}

function jsonOf({ header, damage, ...rest }: TapeHealth): string {
  const { mode, dialect, endpoint, recordedAt } = header;
  const why = damage === undefined ? {} : { damage: damage.code, says: describeAppError(damage) };
  return JSON.stringify({ mode, dialect, endpoint, recordedAt, ...rest, ...why });
}
