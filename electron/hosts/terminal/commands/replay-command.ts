import { resolve } from 'node:path';
import { appError, type AppError } from '../../../../shared/errors/app-error.ts';
import { reasonOf } from '../../../../shared/errors/session-reasons.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import { replayExamples } from '../../../../shared/recordings/replay-view.ts';
import type { Parley } from '../../../app/compose-parley.ts';
import { replayWord } from '../../../app/ipc/remote-actions.ts';
import { exampleTape } from '../../../app/resources.ts';
import { createVirtualClock } from '../../../recordings/replay/virtual-clock.ts';
import type { LoadedTape, OpenTape } from '../../../recordings/tape/open-tape.ts';
import { CommandError, exitCode, UsageError } from '../exit-code.ts';
import { answerFileOptions, openAnswerFiles, unwrapOrExit } from '../options/command-files.ts';
import { type CommandSpec, readNumber } from '../options/command-spec.ts';
import { jsonOption } from '../options/connection-options.ts';
import { terminalCommand } from '../terminal-command.ts';
import { chooseView } from '../views/live-view.ts';
import { playTape, ReplayedAnswer } from './play-tape.ts';
import { runRemoteCommand } from './remote-commands.ts';
import { exitCodeOf, type SessionClosedEvent } from './run-session.ts';

const replayCommandSpec = {
  name: 'replay',
  summary: 'play a tape again, without a server',
  word: {
    name: 'TAPE',
    about: 'a tape: the folder that parley talk --tape made, its tape.ndjson, or a .parleytape',
    missing:
      'Say which tape to play: parley replay TAPE. Some come with Parley: parley replay --example voice, video or reconnect.',
    file: true,
    orOption: 'example',
  },
  options: {
    example: {
      value: 'NAME',
      choices: replayExamples,
      about: 'one that comes with Parley: an interruption, pictures, or a line that is lost',
    },
    speed: {
      value: 'N|max',
      read: readSpeed,
      about: '1 is as fast as it happened, max does not wait at all',
    },
    window: { about: 'in the window of the Parley that runs, with its sound and its pictures' },
    ...answerFileOptions,
    ...jsonOption,
  },
  notes: [
    'Exit: 0 played, 1 what is taped had failed, or cannot be played, 2 wrong usage, or no tape, 3 it ended out of reach, or with --window no Parley is running',
  ],
} as const satisfies CommandSpec;

type ReplayCore = Pick<Parley, 'files' | 'clock' | 'loadTapeAt' | 'openSession' | 'serverCodec'>;

/** Plays a tape through a session again, offline. */
export const replayCommand = terminalCommand(
  replayCommandSpec,
  async ({ word, options }, terminal, parley: ReplayCore) => {
    const { speed = 1, json, example } = options;
    const path = example === undefined ? (word ?? '') : exampleTape(example);
    // A path is that of where the command was given.
    if (options.window)
      return runRemoteCommand(`${replayWord}${JSON.stringify(resolve(path))}`, terminal);
    const { tape, leave } = playableOrExit(await parley.loadTapeAt(path));
    const clock =
      speed === 'max' ? createVirtualClock() : createVirtualClock({ clock: parley.clock, speed });
    const view = chooseView(tape.header.mode === 'chat' ? 'chat' : 'talk', terminal, json);
    const files = await openAnswerFiles(parley, options);
    const answer = new ReplayedAnswer(clock, files, (event) => {
      view.show(clock.now(), event);
    });
    const over = playTape(parley, { ...terminal, err: view.err }, { tape, clock, answer });
    let closed = false;
    const ending = over.finally(() => {
      closed = true;
    });
    await clock.run(() => closed);
    const ended = await ending;
    await leave();
    const written = await files.finish();
    view.end();
    for (const error of remarksOn(tape, ended)) terminal.err(`${describeAppError(error)}\n`);
    if (written.ok) return exitCodeOf(ended);
    terminal.err(`${describeAppError(written.error)}\n`);
    return exitCode.failed;
  },
);

/** What is no tape is a wrong argument; what is one and cannot be played is a failure. */
function playableOrExit(tape: Awaited<ReturnType<ReplayCore['loadTapeAt']>>): LoadedTape {
  if (tape.ok || tape.error.code !== 'tapeUnplayable') return unwrapOrExit(tape);
  throw new CommandError(describeAppError(tape.error), exitCode.failed);
}

/** What is to be known of a tape that was played, beside what was heard. */
function remarksOn(tape: OpenTape, { error }: SessionClosedEvent): readonly AppError[] {
  const count = tape.missing().length;
  return [
    ...(count > 0 ? [appError('tapeFilesMissing', { count })] : []),
    ...(reasonOf(error) === 'tape_cut' ? [...whyCut(tape), error] : []),
  ];
}

/** That it was stopped or cut needs no words: a tape that is damaged can be mended. */
function whyCut({ damage }: OpenTape): readonly AppError[] {
  const isWhole = damage?.code === 'tapeUnfinished' || damage?.code === 'tapeIsStretch';
  return damage === undefined || isWhole ? [] : [damage];
}

function readSpeed(text: string): number | 'max' {
  if (text === 'max') return text;
  const range = { min: 0.1, max: 100 };
  try {
    return readNumber('--speed', text, range);
  } catch (error) {
    const sentence = `--speed takes a number from 0.1 to 100, or max, not "${text}".`;
    throw new UsageError(sentence, { cause: error });
  }
}
