import { wireReason } from '../../../../shared/errors/session-reasons.ts';
import type { Sockets } from '../../../../shared/ports/sockets.ts';
import {
  type ChatQuestion,
  type ContentPart,
  defaultChunkMs,
} from '../../../../shared/protocol/realtime-api.ts';
import type { WrittenSession } from '../../../talk/session/session.ts';
import { type ChatCore, runChatConversation } from '../chat/chat-conversation.ts';
import { exitCode, type ExitCode, UsageError } from '../exit-code.ts';
import {
  type ChatCommandOptions,
  chatCommandSpec,
  readText,
} from '../options/chat-command-options.ts';
import {
  type AnswerFiles,
  readMessagesFile,
  readPicture,
  readSound,
  readVoice,
  withSpeechFile,
} from '../options/command-files.ts';
import { type Connection, readConnection, socketsFor } from '../options/connection-options.ts';
import { type OpenCore, type Terminal, terminalCommand } from '../terminal-command.ts';
import { chooseView } from '../views/choose-view.ts';
import { sessionViewEvent } from '../views/terminal-view.ts';
import { exitCodeOf, runSession } from './run-session.ts';

/** Asks one question and shows the answer, or runs a conversation. */
export const chatCommand = terminalCommand(
  chatCommandSpec,
  async (given, terminal, openCore: OpenCore<ChatCore>) => {
    const { word, options } = given;
    if (word === undefined && options.token === '-') {
      throw new UsageError('Only one can come from stdin: the conversation or the token.');
    }
    const parley = await openCore();
    const connection = await readConnection(given, terminal, parley);
    const text = await readText(word, terminal);
    if (text === undefined) return runChatConversation(options, connection, terminal, parley);
    const turn = await readTurn(options, text, parley);
    const sockets = await socketsFor(parley, connection, 'chat', terminal);
    return withSpeechFile(parley.files, terminal, options.tts, (onSound) =>
      ask(options.json, turn, { ...connection, sockets, onSound }, terminal, parley),
    );
  },
);

async function readTurn(
  options: ChatCommandOptions,
  text: string,
  parley: Pick<ChatCore, 'files' | 'pictures'>,
): Promise<ChatQuestion> {
  const { files } = parley;
  const content: ContentPart[] = [];
  for (const path of options.image)
    content.push({ type: 'image', image: await readPicture(parley, path) });
  for (const path of options.audio)
    content.push({ type: 'audio', audio: await readSound(files, path) });
  const earlier = await readMessagesFile(files, options.messages);
  const voice = await readVoice(files, options.ttsVoice);
  const { system } = options;
  const spoken = options.tts !== undefined;
  return {
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system } as const]),
      ...earlier,
      {
        role: 'user',
        content: content.length === 0 ? text : [...content, { type: 'text', text }],
      },
    ],
    streaming: !options.noStream,
    maxNewTokens: options.maxNewTokens,
    lengthPenalty: options.lengthPenalty,
    thinking: options.thinking ? true : undefined,
    maxSlices: options.slices,
    omni: options.audio.length > 0 ? true : undefined,
    speech: spoken ? { enabled: true, voice } : undefined,
    useTtsTemplate: spoken ? true : undefined,
  };
}

interface QuestionTarget extends Connection {
  readonly sockets: Sockets;
  /** Receives the sound of a spoken answer. */
  readonly onSound: AnswerFiles['onSound'];
}

async function ask(
  json: boolean,
  turn: ChatQuestion,
  { dialect, endpoint, sockets, onSound }: QuestionTarget,
  terminal: Terminal,
  parley: Pick<ChatCore, 'clock' | 'openWrittenSession'>,
): Promise<ExitCode> {
  const { clock } = parley;
  const view = chooseView('chat', terminal, json);
  const startedAt = clock.now();
  let session: WrittenSession | undefined;
  let isAnswered: boolean | undefined;
  let lastError: string | undefined;
  const ending = await runSession(
    { ...terminal, err: view.err },
    {
      open: (deps) =>
        parley.openWrittenSession({ settings: {}, dialect, chunkMs: defaultChunkMs }, deps),
      sockets,
      clock,
      server: endpoint?.url,
      onEvent: (event) => {
        if (event.event === 'audio') onSound(event.audio);
        view.show(clock.now() - startedAt, sessionViewEvent(event));
        if (event.event === 'error') lastError = wireReason(event.error);
        if (event.event !== 'done') return;
        // A turn that an error ended failed, even if part of an answer came.
        isAnswered = event.reason !== lastError;
        session?.end();
      },
      onBegun: (begun) => {
        session = begun;
        begun.ask(turn);
      },
    },
  );
  view.end();
  // After an answer, the way the server disconnects does not matter.
  if (isAnswered === undefined) return exitCodeOf(ending);
  return isAnswered ? exitCode.done : exitCode.failed;
}
