import { describeAppError } from '../../../../shared/i18n/en/describe-app-error.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import { createVirtualClock } from '../../../recording/virtual-clock.ts';
import type { VirtualClock } from '../../../recording/virtual-clock.ts';
import { openAnswerFiles } from './answer-files.ts';
import { captionFormatOf } from '../options/caption-format.ts';
import { chooseView } from '../views/choose-view.ts';
import { UsageError } from '../terminal-command.ts';
import type { TerminalCommand } from '../terminal-command.ts';
import { exitCodeOf } from './run-session.ts';
import { exitCode } from '../exit-code.ts';
import { readFlags } from '../options/read-flags.ts';
import { unwrapOrExit } from '../options/command-files.ts';
import { readNumber } from '../options/option-values.ts';
import { playTape } from './play-tape.ts';
import { ReplayedAnswer } from './replayed-answer.ts';

/** Plays a tape through a session again, offline. */
export const replayCommand: TerminalCommand = {
  name: 'replay',
  summary: 'play a tape again, without a server',
  usage: 'parley replay TAPE [--speed N|max] [--output OUT.wav] [--captions F] [--json]',
  details: [
    'TAPE                 the folder that parley talk --tape made',
    '--speed N|max        1 is as fast as it happened, max does not wait at all',
    '--output OUT.wav     what was heard, on the time line of the session',
    '--captions F         the captions as .vtt or .srt',
    '--json               one JSON object a line on stdout, and nothing else there',
  ],
  run: async (args, terminal, parley) => {
    const options = readReplayOptions(args);
    const tape = unwrapOrExit(await parley.readTape(options.tape));
    const clock = options.speed === 'max' ? createVirtualClock() : paced(parley, options.speed);
    const view = chooseView(tape.header.mode === 'chat' ? 'chat' : 'talk', terminal, options.json);
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
    const exit = exitCodeOf(await ending);
    const written = await files.finish();
    view.end();
    if (tape.cut) terminal.err('The tape ends in the middle: its recorder was stopped.\n');
    if (written.ok) return exit;
    terminal.err(`${describeAppError(written.error)}\n`);
    return exitCode.failed;
  },
};

interface ReplayOptions {
  readonly tape: string;
  readonly speed: number | 'max';
  readonly output: string | undefined;
  readonly captions: string | undefined;
  readonly json: boolean;
}

function readReplayOptions(args: readonly string[]): ReplayOptions {
  const { values, words } = readFlags(
    args,
    {
      speed: { type: 'string', default: '1' },
      output: { type: 'string' },
      captions: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
    1,
  );
  const [tape] = words;
  if (tape === undefined) throw new UsageError('Say which tape to play: parley replay TAPE.');
  const { speed, output, captions, json } = values;
  if (captions !== undefined) captionFormatOf(captions);
  return {
    tape,
    speed: speed === 'max' ? speed : readSpeed(speed),
    output,
    captions,
    json,
  };
}

function readSpeed(text: string): number {
  const range = { min: 0.1, max: 100 };
  try {
    return readNumber('--speed', text, range);
  } catch (error) {
    const sentence = `--speed takes a number from 0.1 to 100, or max, not "${text}".`;
    throw new UsageError(sentence, { cause: error });
  }
}

function paced({ clock }: Pick<Parley, 'clock'>, speed: number): VirtualClock {
  return createVirtualClock({ clock, speed });
}
