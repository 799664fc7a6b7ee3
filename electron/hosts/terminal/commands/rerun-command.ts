import { appError } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import type { Sockets } from '../../../../shared/ports/sockets.ts';
import {
  type SessionSettings,
  defaultChunkMs,
  type DuplexMode,
} from '../../../../shared/protocol/realtime-api.ts';
import { presetIds } from '../../../../shared/settings/preset.ts';
import { SilentSpeaker } from '../../../audio/playback/playback.ts';
import { recordSockets, type TapeRecorder } from '../../../recordings/record/tape-recorder.ts';
import {
  hasInput,
  listQuestions,
  readSessionSettings,
} from '../../../recordings/replay/tape-lines.ts';
import { rerunDevices, toRerunOptions } from '../../../recordings/rerun/rerun-tape.ts';
import { RerunDriver } from '../../../recordings/rerun/rerun-driver.ts';
import type { OpenTape } from '../../../recordings/tape/tape-archive.ts';
import type { Tape } from '../../../recordings/tape/tape.ts';
import type { Session } from '../../../talk/session/session.ts';
import {
  CommandError,
  type ExitCode,
  exitCode,
  UsageError,
  type OpenCore,
  type Terminal,
  terminalCommand,
  type TerminalCore,
} from '../terminal-command.ts';
import {
  answerFileOptions,
  type AnswerFiles,
  readVoice,
  tapeOrExit,
} from '../options/command-files.ts';
import type { CommandArguments, CommandSpec } from '../options/command-spec.ts';
import {
  chunkMsRange,
  type Connection,
  connectionOptions,
  exitNote,
  readConnection,
  type ServerCore,
  socketsFor,
  tokenNote,
} from '../options/connection-options.ts';
import { type ViewEvent, sessionViewEvent } from '../views/terminal-view.ts';
import { runSession, type SessionClosedEvent } from './run-session.ts';
import { TalkOutput, recordTo, runConversation } from './run-talk.ts';

const rerunCommandSpec = {
  name: 'rerun',
  summary: 'send the speech, pictures and questions of a tape to a server again',
  word: {
    name: 'TAPE',
    about: 'the tape of a talk or a chat',
    missing: 'Name a tape: parley rerun TAPE --url U.',
    file: true,
  },
  options: {
    tape: {
      value: 'DIR',
      file: true,
      about: 'records the result in a new folder, for parley compare',
    },
    ...answerFileOptions,
    preset: {
      value: 'P',
      choices: presetIds,
      about: 'replaces the tape’s system prompt with one of Parley’s presets',
    },
    system: { value: 'S', instead: 'preset', about: 'replaces the tape’s system prompt' },
    voice: {
      value: 'REF.wav',
      file: true,
      about: 'replaces the voice for the model to imitate',
    },
    'tts-voice': {
      value: 'REF.wav',
      file: true,
      about: 'replaces the voice of the answers',
    },
    'chunk-ms': {
      value: 'N',
      range: chunkMsRange,
      about: `ms of sound per message (${chunkMsRange.min} to ${chunkMsRange.max}; default: as on the tape)`,
    },
    ...connectionOptions,
  },
  notes: ['A rerun takes as long as the recorded talk, after the queue.', tokenNote, exitNote],
} as const satisfies CommandSpec;

type RerunOptions = CommandArguments<typeof rerunCommandSpec>['options'];

type RerunCore = Pick<
  TerminalCore,
  | 'files'
  | 'clock'
  | 'loadTapeAt'
  | 'openTape'
  | 'openConversation'
  | 'openSession'
  | 'serverCodec'
  | 'carryOverMessages'
  | 'presetMessages'
> &
  ServerCore;

/** Sends a tape's input to another server, or with other settings. */
export const rerunCommand = terminalCommand(
  rerunCommandSpec,
  async (given, terminal, openCore: OpenCore<RerunCore>): Promise<ExitCode> => {
    const { word, options } = given;
    const parley = await openCore();
    const connection = await readConnection(given, terminal, parley);
    const { tape, release } = tapeOrExit(await parley.loadTapeAt(word), word);
    const { mode } = tape.header;
    requireInput(tape, connection, parley);
    const plan = await readPlan(tape, options, parley);
    const sockets = await socketsFor(
      parley,
      connection,
      mode === 'chat' ? 'chat' : 'talk',
      terminal,
    );
    const output = new TalkOutput(
      mode === 'chat' ? 'chat' : 'talk',
      terminal,
      options.json,
      parley.clock,
    );
    const session = { mode, connection, ...plan };
    const { tape: recorder, files } = await output.openFiles(parley, options, session);
    const parts: RerunParts = {
      ...plan,
      tape,
      sockets: recorder === undefined ? sockets : recordSockets(sockets, recorder),
      connection,
      recorder,
      files,
      emit: output.emit,
    };
    const ending =
      mode === 'chat'
        ? await rerunChatTape(parley, output.terminal, parts)
        : await rerunTalkTape(parley, output.terminal, mode, parts);
    const code = await output.finish(ending, files, recorder);
    warnAboutTape(tape, terminal.err);
    await release();
    return code;
  },
);

/** Ends the command with wrong usage if the tape has no input that can be sent to this server. */
function requireInput(
  tape: OpenTape,
  { dialect }: Connection,
  { serverCodec }: Pick<TerminalCore, 'serverCodec'>,
): void {
  if (tape.header.mode === 'chat' && dialect === 'legacy')
    throw new UsageError('The legacy dialect has no chat: use --dialect unified or auto.');
  if (!hasInput(tape, serverCodec))
    throw new CommandError(describeAppError(appError('rerunOfNothing')), exitCode.wrongUsage);
}

/** The tape's settings with the options' changes. */
async function readPlan(
  tape: OpenTape,
  options: RerunOptions,
  parley: Pick<TerminalCore, 'files' | 'serverCodec' | 'presetMessages'>,
): Promise<Pick<RerunParts, 'settings' | 'chunkMs'>> {
  const { preset, system, voice, ttsVoice, chunkMs } = options;
  const recorded = readSessionSettings(tape, parley.serverCodec);
  const [model, speech] = [
    await readVoice(parley.files, voice),
    await readVoice(parley.files, ttsVoice),
  ];
  const instructions =
    preset === undefined ? system : (await parley.presetMessages())[preset].instructions;
  const settings: SessionSettings = {
    ...recorded,
    ...(instructions === undefined ? {} : { instructions }),
    ...((model ?? speech)
      ? {
          voice: {
            model: model ?? recorded.voice?.model,
            speech: speech ?? recorded.voice?.speech,
          },
        }
      : {}),
    ...(chunkMs === undefined ? {} : { generation: { ...recorded.generation, chunkMs } }),
  };
  return { settings, chunkMs: chunkMs ?? tape.header.chunkMs };
}

function warnAboutTape(tape: OpenTape, err: (text: string) => void): void {
  const count = tape.missing().length;
  const warnings = [
    ...(count > 0 ? [appError('tapeFilesMissing', { count })] : []),
    ...(tape.damage === undefined || tape.damage.code === 'tapeUnfinished' ? [] : [tape.damage]),
  ];
  for (const error of warnings) err(`${describeAppError(error)}\n`);
}

interface RerunParts {
  readonly tape: Tape;
  readonly settings: SessionSettings;
  readonly chunkMs: number;
  readonly sockets: Sockets;
  readonly connection: Connection;
  readonly recorder: TapeRecorder | undefined;
  readonly files: AnswerFiles;
  readonly emit: (event: ViewEvent) => void;
}

const noteIntervalMs = 10_000;

async function rerunTalkTape(
  parley: Pick<
    TerminalCore,
    'openConversation' | 'openSession' | 'clock' | 'serverCodec' | 'carryOverMessages'
  > &
    Pick<ServerCore, 'computerModel'>,
  terminal: Terminal,
  mode: DuplexMode,
  { tape, settings, chunkMs, sockets, connection, recorder, files, emit }: RerunParts,
): Promise<SessionClosedEvent> {
  const { clock, serverCodec: codec } = parley;
  const record = recorder && recordTo(recorder);
  let notedMs = -noteIntervalMs;
  const script = new RerunDriver(tape, {
    clock,
    codec,
    write: record?.write,
    onProgress: (doneMs, totalMs) => {
      if (doneMs < notedMs + noteIntervalMs) return;
      notedMs = doneMs;
      const [seconds, total] = [doneMs, totalMs].map((ms) => Math.round(ms / 1000));
      emit({ event: 'note', sentence: `${seconds} of ${total} s of the tape are sent.` });
    },
  });
  return runConversation(parley, terminal, {
    options: toRerunOptions({
      mode,
      settings,
      dialect: connection.dialect,
      chunkMs,
      carryOver: await parley.carryOverMessages(),
    }),
    sockets,
    connection,
    speaker: new SilentSpeaker(clock),
    microphone: undefined,
    record: record && { ...record, write: script.write, devices: rerunDevices },
    files,
    script,
    emit,
  });
}

/** Repeats the questions of a chat, each after the answer before it. */
async function rerunChatTape(
  parley: Pick<TerminalCore, 'openSession' | 'clock' | 'serverCodec'>,
  terminal: Terminal,
  { tape, settings, sockets, connection, files, emit }: RerunParts,
): Promise<SessionClosedEvent> {
  const questions = listQuestions(tape, parley.serverCodec);
  let session: Session | undefined;
  let askedCount = 0;
  const askNext = (): void => {
    const question = questions[askedCount];
    if (question === undefined) {
      session?.end();
      return;
    }
    askedCount += 1;
    emit({ event: 'note', sentence: `Question ${askedCount} of ${questions.length}.` });
    session?.ask(question);
  };
  return runSession(terminal, {
    open: (deps) =>
      parley.openSession(
        { mode: 'chat', settings, dialect: connection.dialect, chunkMs: defaultChunkMs },
        deps,
      ),
    sockets,
    clock: parley.clock,
    server: connection.endpoint?.url,
    onEvent: (event) => {
      if (event.event === 'audio') files.onSound(event.audio);
      emit(sessionViewEvent(event));
      if (event.event === 'done') askNext();
    },
    onBegun: (begun) => {
      session = begun;
      askNext();
    },
  });
}
