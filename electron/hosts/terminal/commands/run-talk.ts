import type { AppError, Outcome } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import { type Clock, delay } from '../../../../shared/ports/clock.ts';
import type { Sockets } from '../../../../shared/ports/sockets.ts';
import type { SessionSettings, Mode } from '../../../../shared/protocol/realtime-api.ts';
import { displayAddress } from '../../../../shared/settings/endpoint.ts';
import type { TalkWarning } from '../../../../shared/talk/talk-view.ts';
import type { PlayoutSink } from '../../../audio/playback/speaker.ts';
import type { TapeRecorder } from '../../../recordings/record/tape-recorder.ts';
import type {
  ConversationDeps,
  ConversationEvent,
  RecordTalk,
} from '../../../talk/conversation-options.ts';
import type { Conversation, OpenConversation } from '../../../talk/conversation.ts';
import { type ExitCode, exitCode, type Terminal, type TerminalCore } from '../terminal-command.ts';
import { type AnswerFiles, openAnswerFiles, unwrapOrExit } from '../options/command-files.ts';
import type { Connection, ServerCore } from '../options/connection-options.ts';
import { chooseView } from '../views/choose-view.ts';
import {
  CaptionAssembler,
  type TerminalView,
  type ViewEvent,
  conversationViewEvent,
} from '../views/terminal-view.ts';
import {
  closedByUser,
  exitCodeOf,
  onCtrlC,
  type SessionClosedEvent,
  TerminableSockets,
} from './run-session.ts';

/** Acts for the user in a conversation, or follows a user at the microphone. */
interface TalkScriptRun {
  readonly begun: (talk: Conversation) => void;
  readonly handleEvent: (event: ConversationEvent) => void;
}

interface ConversationRun {
  readonly options: Parameters<OpenConversation>[0];
  readonly sockets: Sockets;
  readonly connection: Connection;
  readonly speaker: PlayoutSink | undefined;
  readonly microphone: ConversationDeps['microphone'];
  readonly record: RecordTalk | undefined;
  readonly files: Pick<AnswerFiles, 'onSound' | 'onCue'>;
  readonly script: TalkScriptRun;
  readonly emit: (event: ViewEvent) => void;
  /** Whether to warn before a session's limits. */
  readonly warns?: boolean | undefined;
}

type ControlsShown = Extract<ViewEvent, { event: 'controls' }>;

const ignoreEnding = (): void => undefined;

/** Runs a conversation until it has ended and its sound was played. */
export async function runConversation(
  parley: Pick<TerminalCore, 'openConversation' | 'openSession' | 'clock'> &
    Pick<ServerCore, 'computerModel'>,
  terminal: Terminal,
  run: ConversationRun,
): Promise<SessionClosedEvent> {
  const { options, sockets, connection, speaker, microphone, record, files, script, emit } = run;
  const terminable = new TerminableSockets(sockets);
  const captions = new CaptionAssembler(emit);
  let isTerminated = false;
  let controls: Pick<ControlsShown, 'muted' | 'paused'> = { muted: false, paused: false };
  let resolveEnding: (ending: SessionClosedEvent) => void = ignoreEnding;
  const ended = new Promise<SessionClosedEvent>((resolve) => {
    resolveEnding = resolve;
  });
  const onEvent = (event: ConversationEvent): void => {
    script.handleEvent(event);
    if (event.event === 'caption') captions.patch(event.patch);
    if (event.event === 'warning' && run.warns === true) emit(warningNote(event.warning));
    const shown = conversationViewEvent(event);
    if (shown?.event === 'controls') {
      // The terminal shows only these two of the controls.
      if (shown.muted !== controls.muted || shown.paused !== controls.paused) emit(shown);
      controls = shown;
    } else if (shown?.event === 'closed') {
      const ending = isTerminated ? closedByUser : shown;
      emit(ending);
      resolveEnding(ending);
    } else if (shown !== undefined) emit(shown);
  };
  const conversation = parley.openConversation(options, {
    openSession: (how, emitSession) =>
      parley.openSession(how, {
        sockets: terminable,
        // The server's dialect is stored under its address.
        server: connection.endpoint?.url,
        emit: emitSession,
      }),
    speaker,
    microphone,
    minPauseMs: connection.isOnComputer ? parley.computerModel.minPauseMs : undefined,
    record,
    onPlayed: files.onSound,
    onCue: files.onCue,
    emit: onEvent,
  });
  script.begun(conversation);
  const stopListening = onCtrlC(terminal, {
    end: () => conversation.end(),
    terminate: () => {
      isTerminated = true;
      terminable.terminate();
    },
  });
  const ending = await ended;
  stopListening?.();
  await waitForPlayout(parley.clock, terminal, conversation);
  await conversation.close();
  return ending;
}

function warningNote({ limit, secondsLeft }: TalkWarning): ViewEvent {
  const sentence =
    limit === 'time'
      ? `${secondsLeft} seconds of this session are left.`
      : `The model can remember ${secondsLeft} more seconds of this session.`;
  return { event: 'note', sentence };
}

const pollMs = 50;
/** A speaker that needs this much longer than its buffer lasts counts as stopped. */
const maxSpeakerDelayMs = 2000;

/** Waits until the speaker has played its buffer, or until Ctrl-C. */
async function waitForPlayout(
  clock: Clock,
  terminal: Pick<Terminal, 'onInterrupt'>,
  conversation: Pick<Conversation, 'isSounding' | 'stats'>,
): Promise<void> {
  const deadline = clock.now() + (conversation.stats().playout?.bufferMs ?? 0) + maxSpeakerDelayMs;
  const user = { wantsExit: false };
  const stopListening = terminal.onInterrupt?.(() => {
    user.wantsExit = true;
  });
  while (!user.wantsExit && conversation.isSounding() && clock.now() < deadline) {
    await delay(clock, pollMs);
  }
  stopListening?.();
}

class TalkOutcome {
  #wasLive = false;
  #hadAnswer = false;
  #hadError = false;

  onEvent(event: ViewEvent): void {
    this.#wasLive ||= event.event === 'state' && event.state === 'live';
    this.#hadAnswer ||= event.event === 'text' || event.event === 'audio';
    this.#hadError ||= event.event === 'error';
  }

  exitCode(ending: SessionClosedEvent): ExitCode {
    // A talk without an answer failed if it had an error, even if it ended in order.
    const hasOnlyErrors = this.#hadError && !this.#hadAnswer;
    // A live talk that was lost counts as failed, although its server was reachable.
    const isLost = this.#wasLive && !ending.orderly;
    return hasOnlyErrors || isLost ? exitCode.failed : exitCodeOf(ending);
  }
}

interface TapedSession {
  readonly mode: Mode;
  readonly connection: Connection;
  readonly chunkMs: number;
  readonly settings: SessionSettings;
}

/** The output of a talk or chat: shows it, records it and determines the exit code. */
export class TalkOutput {
  readonly #terminal: Terminal;
  readonly #clock: Clock;
  readonly #view: TerminalView;
  readonly #startedAt: number;
  readonly #outcome = new TalkOutcome();
  #tapeError: AppError | undefined;

  constructor(kind: 'chat' | 'talk', terminal: Terminal, json: boolean, clock: Clock) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#view = chooseView(kind, terminal, json);
    this.#startedAt = clock.now();
  }

  /** The terminal, with an `err` that does not break the line that is shown. */
  get terminal(): Terminal {
    return { ...this.#terminal, err: this.#view.err };
  }

  readonly emit = (event: ViewEvent): void => {
    this.#outcome.onEvent(event);
    this.#view.show(this.#clock.now() - this.#startedAt, event);
  };

  /**
   * Opens the files that the options name. A tape's folder that holds something is refused before older files of the
   * answer are emptied. The tape itself comes last: it refuses a folder with a file of the answer.
   */
  async openFiles(
    parley: Pick<TerminalCore, 'openTape' | 'files'>,
    options: Parameters<typeof openAnswerFiles>[1] & { readonly tape?: string | undefined },
    session: TapedSession,
  ): Promise<{ readonly tape: TapeRecorder | undefined; readonly files: AnswerFiles }> {
    if (options.tape !== undefined) unwrapOrExit(await parley.files.createFolder(options.tape));
    const files = await openAnswerFiles(parley.files, options);
    const opened = await this.#openTape(parley, options.tape, session);
    if (opened?.ok === false) await files.discard();
    return { files, tape: opened && unwrapOrExit(opened) };
  }

  async #openTape(
    parley: Pick<TerminalCore, 'openTape'>,
    path: string | undefined,
    { mode, connection, chunkMs, settings }: TapedSession,
  ): Promise<Outcome<TapeRecorder> | undefined> {
    if (path === undefined) return undefined;
    const { voice: _voice, ...recorded } = settings;
    const header = {
      mode,
      dialect: connection.dialect,
      chunkMs,
      settings: recorded,
      endpoint: endpointName(connection),
    };
    return parley.openTape(path, header, (error) => {
      // Printed here already, so `finish` must not print it when `close` returns it again.
      if (error.code !== 'tapeLowSpace') this.#tapeError ??= error;
      this.#view.err(`${describeAppError(error)}\n`);
    });
  }

  /** Finishes the files and returns the exit code. */
  async finish(
    ending: SessionClosedEvent,
    files: AnswerFiles,
    tape: TapeRecorder | undefined,
  ): Promise<ExitCode> {
    const written = [await files.finish(), await tape?.close()];
    this.#view.end();
    const problem = written.find((outcome) => outcome?.ok === false);
    if (problem?.ok !== false) return this.#outcome.exitCode(ending);
    if (problem.error !== this.#tapeError)
      this.#terminal.err(`${describeAppError(problem.error)}\n`);
    return exitCode.failed;
  }
}

function endpointName({ endpoint, isOnComputer }: Connection): string {
  if (endpoint !== undefined) return displayAddress(endpoint.url);
  return isOnComputer ? 'computer' : 'embedded';
}

/** Records the events and both voices of a talk to a tape. */
export function recordTo(tape: TapeRecorder): Omit<RecordTalk, 'devices'> {
  return {
    write: (event) => tape.record({ dir: 'event', event }),
    onAnswer: (turn, samples) => tape.countAnswer(turn, samples),
    onSound: (who, samples) => tape.addSound(who, samples),
  };
}
