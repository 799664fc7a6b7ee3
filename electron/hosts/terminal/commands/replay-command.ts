import { resolve } from 'node:path';
import { appError, type AppError, wireReason } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import type { Clock } from '../../../../shared/ports/clock.ts';
import { replayExamples } from '../../../../shared/recordings/replay-view.ts';
import { replayPrefix } from '../../../app/ipc/remote-actions.ts';
import { exampleTape } from '../../../app/resources.ts';
import { createReplay } from '../../../recordings/replay/replay-tape.ts';
import { createVirtualClock } from '../../../recordings/replay/virtual-clock.ts';
import type { OpenTape } from '../../../recordings/tape/tape-archive.ts';
import { AnswerPlayout } from '../../../talk/answer-playout.ts';
import type { SessionEvent } from '../../../talk/session/session-event.ts';
import type { Session } from '../../../talk/session/session.ts';
import { endedByUser } from '../../../talk/talk-lifecycle.ts';
import {
  exitCode,
  UsageError,
  readNumber,
  type OpenCore,
  type Terminal,
  terminalCommand,
  type TerminalCore,
} from '../terminal-command.ts';
import {
  answerFileOptions,
  type AnswerFiles,
  openAnswerFiles,
  tapeOrExit,
} from '../options/command-files.ts';
import type { CommandSpec } from '../options/command-spec.ts';
import { jsonOption } from '../options/connection-options.ts';
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
    window: {
      about:
        'replays in the window of the running Parley, with sound and pictures; takes no other option except --example',
    },
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

export const replayCommand = terminalCommand(
  replayCommandSpec,
  async ({ word, options }, terminal, openCore: OpenCore<ReplayCore>) => {
    const { speed = 1, json, example } = options;
    const path = example === undefined ? (word ?? '') : exampleTape(example);
    // Made absolute here, because the running Parley has another working directory.
    if (options.window) {
      const isIgnored =
        json ||
        [options.speed, options.output, options.captions].some((given) => given !== undefined);
      if (isIgnored)
        throw new UsageError(
          '--window cannot be combined with --speed, --output, --captions or --json.',
        );
      return runRemoteCommand(`${replayPrefix}${JSON.stringify(resolve(path))}`, terminal);
    }
    const parley = await openCore();
    const { tape, release } = tapeOrExit(await parley.loadTapeAt(path), path);
    const clock =
      speed === 'max' ? createVirtualClock() : createVirtualClock({ clock: parley.clock, speed });
    const view = chooseView(tape.header.mode === 'chat' ? 'chat' : 'talk', terminal, json);
    const files = await openAnswerFiles(parley.files, options);
    const answer = new ReplayedAnswer(clock, files, (event) => view.show(clock.now(), event));
    let isOver = false;
    const playing = playTape(parley, { ...terminal, err: view.err }, { tape, clock, answer });
    const ending = playing.finally(() => {
      isOver = true;
    });
    await clock.run(() => isOver);
    const ended = await ending;
    await release();
    const written = await files.finish();
    view.end();
    for (const error of warningsAbout(tape, ended)) terminal.err(`${describeAppError(error)}\n`);
    if (written.ok) return exitCodeOf(ended);
    terminal.err(`${describeAppError(written.error)}\n`);
    return exitCode.failed;
  },
);

function warningsAbout(tape: OpenTape, { error }: SessionClosedEvent): readonly AppError[] {
  const count = tape.missing().length;
  return [
    ...(count > 0 ? [appError('tapeFilesMissing', { count })] : []),
    ...(wireReason(error) === 'tape_cut' ? [...repairableDamage(tape), error] : []),
  ];
}

/** The damage that can be repaired. A tape whose recorder was killed, or that was cut out of another one, has none. */
function repairableDamage({ damage }: OpenTape): readonly AppError[] {
  const isIntended = damage?.code === 'tapeUnfinished' || damage?.code === 'tapeIsStretch';
  return damage === undefined || isIntended ? [] : [damage];
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

interface Playing {
  readonly tape: OpenTape;
  readonly clock: Clock;
  readonly answer: ReplayedAnswer;
}

const nothing = (): void => undefined;

/** Replays the tape to one session after the other, as the talk reconnected. */
async function playTape(
  parley: Pick<TerminalCore, 'openSession' | 'serverCodec'>,
  terminal: Terminal,
  { tape, clock, answer }: Playing,
): Promise<SessionClosedEvent> {
  const { mode, settings, chunkMs } = tape.header;
  let { dialect } = tape.header;
  const seconds = Math.round((tape.lines.at(-1)?.at ?? 0) / 1000);
  /** At the end of a tape that is cut, no session was lost; only the tape ends. */
  const endingOf = (ending: SessionClosedEvent): SessionClosedEvent => {
    if (!tape.cut || ending.orderly) return ending;
    const code = answer.inTurn ? 'tapeEndsInSentence' : 'tapeEndsEarly';
    const error = appError(code, { seconds });
    return { event: 'closed', error, by: 'client', orderly: true };
  };
  let onWaiting = nothing;
  const replayed = createReplay(tape, {
    clock,
    codec: parley.serverCodec,
    onWaiting: () => onWaiting(),
  });
  for (;;) {
    const ending = await runSession(terminal, {
      open: (deps) => parley.openSession({ mode, settings, dialect, chunkMs }, deps),
      sockets: replayed.sockets,
      clock,
      // Fixed, so that the same tape gives the same events.
      random: () => 0.5,
      onEvent: (event) => {
        // Later sessions of a talk use the dialect that the first one found.
        if (event.event === 'session') ({ dialect } = event);
        answer.onEvent(event);
      },
      onBegun: (session: Session) => replayed.begin(session),
    });
    if (!replayed.hasMoreConnections() || wireReason(ending.error) === 'cut')
      return answer.end(endingOf(ending));
    answer.lose(ending);
    const hasNext = new Promise<true>((resolve) => {
      onWaiting = () => resolve(true);
    });
    // Between two sessions, no session handles Ctrl-C.
    const interrupt = new NextInterrupt(terminal);
    const stopped = interrupt.pressed.then(() => 'stopped' as const);
    const next = await Promise.race([hasNext, replayed.done, stopped]);
    interrupt.forget();
    if (next !== true) return answer.end(next === 'stopped' ? endedByUser : endingOf(ending));
  }
}

/**
 * Plays the answers of a tape's sessions. Does not use a conversation: a tape may be a chat, and its reconnects
 * were decided when it was recorded.
 */
class ReplayedAnswer {
  readonly #answer: AnswerPlayout;
  readonly #show: (event: ViewEvent) => void;
  #turnOffset = 0;
  #lastTurn = 0;
  #inTurn = false;

  constructor(clock: Clock, { onSound, onCue }: AnswerFiles, show: (event: ViewEvent) => void) {
    this.#show = show;
    this.#answer = new AnswerPlayout({
      clock,
      speaker: undefined,
      jitter: { stepMs: 0, pace: undefined },
      onPlayed: onSound,
      onCue,
      onCaption: new CaptionAssembler(show).patch,
      onGap: nothing,
      onTurnHeard: nothing,
      onDelay: nothing,
      onChange: nothing,
    });
  }

  /** Whether an answer has begun and not ended. */
  get inTurn(): boolean {
    return this.#inTurn;
  }

  readonly onEvent = (received: SessionEvent): void => {
    const event =
      'turn' in received ? { ...received, turn: this.#numberTurn(received.turn) } : received;
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

  /** Notes that the session was lost and that the tape has another. */
  lose({ error }: Pick<SessionClosedEvent, 'error'>): void {
    this.#turnOffset = this.#lastTurn;
    this.#answer.abandon();
    const sentence = `The session ended (${wireReason(error)}); the tape continues with the next one.`;
    this.#show({ event: 'note', sentence });
  }

  /** Plays out the rest and shows the ending. */
  end(ending: SessionClosedEvent): SessionClosedEvent {
    this.#answer.finish();
    this.#show(ending);
    return ending;
  }

  /** Numbers turns over all sessions, as a talk does. */
  #numberTurn(turn: number): number {
    this.#lastTurn = Math.max(this.#lastTurn, this.#turnOffset + turn);
    return this.#turnOffset + turn;
  }
}
