import { resolve } from 'node:path';
import { appError, type AppError } from '../../../../shared/errors/app-error.ts';
import { wireReason } from '../../../../shared/errors/session-reasons.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import type { Clock } from '../../../../shared/ports/clock.ts';
import { replayExamples } from '../../../../shared/recordings/replay-view.ts';
import { replayPrefix } from '../../../app/ipc/remote-actions.ts';
import { exampleTape } from '../../../app/resources.ts';
import { createReplay } from '../../../recordings/replay/replay-tape.ts';
import { createVirtualClock } from '../../../recordings/replay/virtual-clock.ts';
import type { LoadedTape, OpenTape } from '../../../recordings/tape/open-tape.ts';
import type { Tape } from '../../../recordings/tape/tape.ts';
import { AnswerPlayout } from '../../../talk/answer-playout.ts';
import type { SessionEvent } from '../../../talk/session/session-event.ts';
import type { Session } from '../../../talk/session/session.ts';
import { endedByUser } from '../../../talk/talk-lifecycle.ts';
import { CommandError, exitCode, UsageError } from '../exit-code.ts';
import {
  answerFileOptions,
  type AnswerFiles,
  openAnswerFiles,
  unwrapOrExit,
} from '../options/command-files.ts';
import { type CommandSpec, readNumber } from '../options/command-spec.ts';
import { jsonOption } from '../options/connection-options.ts';
import { type OpenCore, type Terminal, terminalCommand } from '../terminal-command.ts';
import type { TerminalCore } from '../terminal-core.ts';
import { chooseView } from '../views/choose-view.ts';
import { CaptionAssembler, type ViewEvent, sessionViewEvent } from '../views/terminal-view.ts';
import { runRemoteCommand } from './remote-commands.ts';
import { exitCodeOf, NextInterrupt, runSession, type SessionClosedEvent } from './run-session.ts';

const replayCommandSpec = {
  name: 'replay',
  summary: 'replay a tape, without a server',
  word: {
    name: 'TAPE',
    about: 'a folder written by parley talk --tape, its tape.ndjson, or a .parleytape file',
    missing:
      'Name a tape: parley replay TAPE. Three come with Parley: parley replay --example voice, video or reconnect.',
    file: true,
    orOption: 'example',
  },
  options: {
    example: {
      value: 'NAME',
      choices: replayExamples,
      about: 'a tape that comes with Parley: an interruption, pictures, or a lost connection',
    },
    speed: {
      value: 'N|max',
      read: readSpeed,
      about: '1 is the original speed, max does not wait',
    },
    window: { about: 'replays in the window of the running Parley, with sound and pictures' },
    ...answerFileOptions,
    ...jsonOption,
  },
  notes: [
    'Exit: 0 played; 1 the recorded session failed, or cannot be played; 2 wrong usage, or not a tape; 3 the recorded session lost its server, or with --window Parley is not running',
  ],
} as const satisfies CommandSpec;

type ReplayCore = Pick<
  TerminalCore,
  'files' | 'clock' | 'loadTapeAt' | 'openSession' | 'serverCodec'
>;

/** Replays a tape through a session, offline. */
export const replayCommand = terminalCommand(
  replayCommandSpec,
  async ({ word, options }, terminal, openCore: OpenCore<ReplayCore>) => {
    const { speed = 1, json, example } = options;
    const path = example === undefined ? (word ?? '') : exampleTape(example);
    // The path is relative to the command's working directory.
    if (options.window)
      return runRemoteCommand(`${replayPrefix}${JSON.stringify(resolve(path))}`, terminal);
    const parley = await openCore();
    const { tape, release } = playableOrExit(await parley.loadTapeAt(path));
    const clock =
      speed === 'max' ? createVirtualClock() : createVirtualClock({ clock: parley.clock, speed });
    const view = chooseView(tape.header.mode === 'chat' ? 'chat' : 'talk', terminal, json);
    const files = await openAnswerFiles(parley.files, options);
    const answer = new ReplayedAnswer(clock, files, (event) => {
      view.show(clock.now(), event);
    });
    let closed = false;
    const over = playTape(parley, { ...terminal, err: view.err }, { tape, clock, answer });
    const ending = over.finally(() => {
      closed = true;
    });
    await clock.run(() => closed);
    const ended = await ending;
    await release();
    const written = await files.finish();
    view.end();
    for (const error of remarksOn(tape, ended)) terminal.err(`${describeAppError(error)}\n`);
    if (written.ok) return exitCodeOf(ended);
    terminal.err(`${describeAppError(written.error)}\n`);
    return exitCode.failed;
  },
);

/** A path without a tape is wrong usage; a tape that cannot be played is a failure. */
function playableOrExit(tape: Awaited<ReturnType<ReplayCore['loadTapeAt']>>): LoadedTape {
  if (tape.ok || tape.error.code !== 'tapeUnplayable') return unwrapOrExit(tape);
  throw new CommandError(describeAppError(tape.error), exitCode.failed);
}

/** Warnings about a tape after its replay. */
function remarksOn(tape: OpenTape, { error }: SessionClosedEvent): readonly AppError[] {
  const count = tape.missing().length;
  return [
    ...(count > 0 ? [appError('tapeFilesMissing', { count })] : []),
    ...(wireReason(error) === 'tape_cut' ? [...whyCut(tape), error] : []),
  ];
}

/** Only damage that can be repaired needs a sentence, not a tape that was stopped or cut out. */
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

interface Played {
  readonly tape: Tape;
  readonly clock: Clock;
  readonly answer: ReplayedAnswer;
}

const nothing = (): void => undefined;

/** Replays the tape to one session after the other, as they followed on reconnects. */
async function playTape(
  parley: Pick<TerminalCore, 'openSession' | 'serverCodec'>,
  terminal: Terminal,
  { tape, clock, answer }: Played,
): Promise<SessionClosedEvent> {
  const { mode, settings, chunkMs } = tape.header;
  let { dialect } = tape.header;
  const seconds = Math.round((tape.lines.at(-1)?.at ?? 0) / 1000);
  /** At the end of a cut tape, the tape ended and no session was lost. */
  const endingOf = (ending: SessionClosedEvent): SessionClosedEvent => {
    if (!tape.cut || ending.orderly) return ending;
    const code = answer.inTurn ? 'tapeEndsInSentence' : 'tapeEndsEarly';
    const error = appError(code, { seconds });
    return { event: 'closed', error, by: 'client', orderly: true };
  };
  let waited = nothing;
  const replayed = createReplay(tape, {
    clock,
    codec: parley.serverCodec,
    onWaiting: () => {
      waited();
    },
  });
  for (;;) {
    const ending = await runSession(terminal, {
      open: (deps) => parley.openSession({ mode, settings, dialect, chunkMs }, deps),
      sockets: replayed.sockets,
      clock,
      // Fixed, so that the same tape gives the same events.
      random: () => 0.5,
      onEvent: (event) => {
        // Later sessions of a talk use the dialect found first.
        if (event.event === 'session') ({ dialect } = event);
        answer.onEvent(event);
      },
      onBegun: (session: Session) => {
        replayed.begin(session);
      },
    });
    if (!replayed.hasMoreConnections() || wireReason(ending.error) === 'cut')
      return answer.ended(endingOf(ending));
    answer.lost(ending);
    const wanted = new Promise<true>((resolve) => {
      waited = () => {
        resolve(true);
      };
    });
    // No session can handle Ctrl-C between two sessions.
    const interrupt = new NextInterrupt(terminal);
    const enough = interrupt.pressed.then(() => 'enough' as const);
    const next = await Promise.race([wanted, replayed.done, enough]);
    interrupt.forget();
    if (next !== true) return answer.ended(next === 'enough' ? endedByUser : endingOf(ending));
  }
}

/**
 * Plays the answers of a tape's sessions. Does not use a conversation: a tape may be a chat, and its reconnects
 * were decided when it was recorded.
 */
class ReplayedAnswer {
  readonly #answer: AnswerPlayout;
  readonly #show: (event: ViewEvent) => void;
  #before = 0;
  #lastTurn = 0;
  #inTurn = false;

  constructor(clock: Clock, { played, cue }: AnswerFiles, show: (event: ViewEvent) => void) {
    this.#show = show;
    this.#answer = new AnswerPlayout({
      clock,
      speaker: undefined,
      jitter: { stepMs: 0, pace: undefined },
      onPlayed: played,
      onCue: cue,
      onCaption: new CaptionAssembler(show).patch,
      onGap: nothing,
      onTurnHeard: nothing,
      onDelay: nothing,
      onChange: nothing,
    });
  }

  /** An answer has begun and not ended. */
  get inTurn(): boolean {
    return this.#inTurn;
  }

  readonly onEvent = (heard: SessionEvent): void => {
    const event = 'turn' in heard ? { ...heard, turn: this.#counted(heard.turn) } : heard;
    if (event.event === 'text' || event.event === 'audio') this.#inTurn = true;
    else if (event.event === 'turnEnded' || event.event === 'listen') this.#inTurn = false;
    if (event.event === 'closed') return;
    if (event.event === 'listen') {
      const flushedSamples = event.yields ? this.#answer.onModelYielded() : 0;
      this.#show({ event: 'listen', flushedSamples });
      return;
    }
    if (event.event === 'state' && event.state === 'live') this.#answer.begin();
    if (event.event === 'audio') this.#answer.addAudio(event.turn, event.audio);
    this.#show(sessionViewEvent(event));
    if (event.event === 'text') this.#answer.addText(event.turn, event.text);
    if (event.event === 'turnEnded') this.#answer.onTurnEnd(event.turn);
  };

  /** The session was lost; the tape has another. */
  lost({ error }: Pick<SessionClosedEvent, 'error'>): void {
    this.#before = this.#lastTurn;
    this.#answer.abandon();
    const sentence = `The session ended (${wireReason(error)}); the tape continues with the next one.`;
    this.#show({ event: 'note', sentence });
  }

  /** The tape is over; plays out what is left. */
  ended(ending: SessionClosedEvent): SessionClosedEvent {
    this.#answer.finish();
    this.#show(ending);
    return ending;
  }

  /** Numbers turns over all sessions, as a talk does. */
  #counted(turn: number): number {
    this.#lastTurn = Math.max(this.#lastTurn, this.#before + turn);
    return this.#before + turn;
  }
}
