import { reasonOf } from '../../../../shared/errors/session-reasons.ts';
import type { Sockets } from '../../../../shared/ports/sockets.ts';
import type { ChatTurnEvent, ContentPart } from '../../../../shared/protocol/client-event.ts';
import type { WavWriter } from '../../../recordings/tape/sound-writer.ts';
import type { SessionEvent } from '../../../talk/session/session-event.ts';
import type { WrittenSession } from '../../../talk/session/session.ts';
import {
  type ConversationCore,
  runWrittenConversation,
} from '../conversation/run-written-conversation.ts';
import { exitCode, type ExitCode, UsageError } from '../exit-code.ts';
import {
  type ChatCommandOptions,
  chatCommandSpec,
  readChatCommandOptions,
} from '../options/chat-command-options.ts';
import {
  maxInputSeconds,
  readMessagesFile,
  readPicture,
  readSound,
  readVoice,
  withSpeechFile,
} from '../options/command-files.ts';
import {
  defaultChunkMs,
  resolveServer,
  resolveToken,
  socketsFor,
} from '../options/connection-options.ts';
import { type Terminal, terminalCommand } from '../terminal-command.ts';
import type { TerminalCore } from '../terminal-core.ts';
import { chooseView } from '../views/live-view.ts';
import { viewEventOfSession } from '../views/terminal-view.ts';
import { exitCodeOf, runSession } from './run-session.ts';

/** What one turn needs of the core. */
type ChatCore = Pick<TerminalCore, 'clock' | 'files' | 'pictures' | 'openWrittenSession'>;

/** One turn of chat: asks, shows the answer as it comes, and ends; or a conversation of many. */
export const chatCommand = terminalCommand(
  chatCommandSpec,
  async (given, terminal, parley: ConversationCore) => {
    if (given.word === undefined && given.options.token === '-') {
      throw new UsageError(
        'Only one of the two can come from stdin: the conversation or the token.',
      );
    }
    const read = await readChatCommandOptions(
      await resolveToken(given, terminal, parley),
      terminal,
    );
    const options = { ...read, connection: await resolveServer(parley, read.connection) };
    const { text } = options;
    if (text === undefined) {
      return runWrittenConversation(options, terminal, parley, chatCommandSpec.word.missing);
    }
    const turn = await turnOf(options, text, parley);
    const sockets = await socketsFor(parley, options.connection);
    return withSpeechFile(parley, terminal, options.tts, (wav) =>
      ask(options, turn, sockets, wav, terminal, parley),
    );
  },
);

type Turn = Omit<ChatTurnEvent, 'kind' | 'inputId'>;

async function turnOf(options: ChatCommandOptions, text: string, parley: ChatCore): Promise<Turn> {
  const media: ContentPart[] = [];
  for (const path of options.images) {
    media.push({ type: 'image', image: await readPicture(parley, path) });
  }
  for (const path of options.sounds) {
    media.push({ type: 'audio', audio: await readSound(parley, path, maxInputSeconds) });
  }
  const asked: ContentPart = { type: 'text', text };
  const content = media.length === 0 ? text : [...media, asked];
  const { messages, tts, ttsVoice } = options;
  const earlier = messages === undefined ? [] : await readMessagesFile(parley, messages);
  const voice = await readVoice(parley, ttsVoice);
  const system: Turn['messages'] =
    options.system === undefined ? [] : [{ role: 'system', content: options.system }];
  return {
    messages: [...system, ...earlier, { role: 'user', content }],
    streaming: options.streaming,
    maxNewTokens: options.maxNewTokens,
    lengthPenalty: options.lengthPenalty,
    thinking: options.thinking ? true : undefined,
    maxSlices: options.slices,
    omni: options.sounds.length > 0 ? true : undefined,
    speech: tts === undefined ? undefined : { enabled: true, voice },
    useTtsTemplate: tts === undefined ? undefined : true,
  };
}

async function ask(
  { connection }: ChatCommandOptions,
  turn: Turn,
  sockets: Sockets,
  wav: WavWriter | undefined,
  terminal: Terminal,
  parley: ChatCore,
): Promise<ExitCode> {
  const view = chooseView('chat', terminal, connection.json);
  const began = parley.clock.now();
  let session: WrittenSession | undefined;
  let answered: boolean | undefined;
  let lastError: string | undefined;
  const hear = (event: SessionEvent): void => {
    if (event.event === 'audio') wav?.write(event.audio);
    view.show(parley.clock.now() - began, viewEventOfSession(event));
    if (event.event === 'error') lastError = reasonOf(event.error);
    if (event.event !== 'done') return;
    // A turn that an error ended is no answer, even where part of one has come.
    answered = event.reason !== lastError;
    session?.end();
  };
  const ending = await runSession(
    { ...terminal, err: view.err },
    {
      open: (deps) =>
        parley.openWrittenSession(
          { settings: {}, dialect: connection.dialect, chunkMs: defaultChunkMs },
          deps,
        ),
      sockets,
      clock: parley.clock,
      server: connection.endpoint?.url,
      onEvent: hear,
      onBegun: (begun) => {
        session = begun;
        begun.ask(turn);
      },
    },
  );
  view.end();
  // The server hanging up after the answer, in whatever manner, takes nothing from the answer.
  if (answered === undefined) return exitCodeOf(ending);
  return answered ? exitCode.done : exitCode.failed;
}
