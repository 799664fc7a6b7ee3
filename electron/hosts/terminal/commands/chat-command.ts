import type { Turn } from '../../../../shared/chat/chat-thread.ts';
import { wireReason } from '../../../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import type { Sockets } from '../../../../shared/ports/sockets.ts';
import {
  type ChatQuestion,
  type ContentPart,
  defaultChunkMs,
  type ChatMessage,
} from '../../../../shared/protocol/realtime-api.ts';
import type { ChatSettings } from '../../../../shared/settings/assistant-settings.ts';
import { Attachments, MediaCache } from '../../../chat/attachments.ts';
import { NewChatTurns } from '../../../chat/thread-edits.ts';
import type { WrittenSession } from '../../../talk/session/session.ts';
import { AttachedFiles } from '../chat/attached-files.ts';
import { leftOutSentences, MessageHandler } from '../chat/message-handler.ts';
import { AnswerView, TerminalChat } from '../chat/terminal-chat.ts';
import type { LineInput } from '../line-input.ts';
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
import {
  type Connection,
  readConnection,
  socketsFor,
  type ServerCore,
} from '../options/connection-options.ts';
import {
  exitCode,
  type ExitCode,
  UsageError,
  type OpenCore,
  type Terminal,
  terminalCommand,
  CommandError,
  type TerminalCore,
} from '../terminal-command.ts';
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
        // A turn that ended with an error has failed, even if part of an answer came.
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

export type ChatCore = Pick<
  TerminalCore,
  | 'clock'
  | 'random'
  | 'files'
  | 'pictures'
  | 'openWrittenSession'
  | 'carryOverMessages'
  | 'transcriptWords'
> &
  ServerCore;

/** Runs a conversation at a prompt, or with a script that writes one message per line. */
export async function runChatConversation(
  options: ChatCommandOptions,
  connection: Connection,
  terminal: Terminal,
  parley: ChatCore,
): Promise<ExitCode> {
  const { openLines } = terminal;
  if (openLines === undefined) throw new UsageError(missingQuestion);
  const say = (sentence: string): void => terminal.err(`${sentence}\n`);
  let onSound: AnswerFiles['onSound'] | undefined;
  const view = new AnswerView({
    terminal,
    json: options.json,
    clock: parley.clock,
    onSound: (samples) => onSound?.(samples),
  });
  // Reads the other files first, because the file for speech may replace one that the user wants to keep.
  const { chat, attached } = await openTerminalChat(
    options,
    connection,
    terminal,
    parley,
    view,
    say,
  );
  return withSpeechFile(parley.files, terminal, options.tts, async (writeSound) => {
    onSound = writeSound;
    const lines = openLines(chat.stop);
    const stopListening = terminal.onInterrupt?.(() => {
      lines.close();
      chat.stop();
    });
    if (lines.typed) say(greeting(connection));
    const handler = new MessageHandler({
      chat,
      view,
      attached,
      files: parley.files,
      words: parley.transcriptWords,
      say,
      isTyped: lines.typed,
    });
    try {
      return await runMessageLoop(lines, handler, say);
    } finally {
      stopListening?.();
      lines.close();
      await chat.close();
    }
  });
}

async function openTerminalChat(
  options: ChatCommandOptions,
  connection: Connection,
  terminal: Terminal,
  parley: ChatCore,
  view: AnswerView,
  say: (sentence: string) => void,
) {
  const { clock, random, files } = parley;
  const wallClock = Date.now;
  const earlier = earlierThread(
    await readMessagesFile(files, options.messages),
    new NewChatTurns(random, wallClock),
  );
  const voice = await readVoice(files, options.ttsVoice);
  const media = new MediaCache();
  const attachments = new Attachments({ pictures: parley.pictures, media, random });
  const attached = new AttachedFiles({ files, attachments, say });
  for (const path of options.image) failOn(await attached.add(path, 'image'));
  for (const path of options.audio) failOn(await attached.add(path, 'audio'));
  const sockets = await socketsFor(parley, connection, 'chat', terminal);
  const { goOnAnswer } = await parley.carryOverMessages();
  const chat = new TerminalChat(chatSettingsOf(options, earlier.system), earlier.thread, {
    clock,
    random,
    wallClock,
    media,
    view,
    voice: () => voice,
    contextTokens: () => connection.traits?.contextLimit,
    continuePrompt: () => goOnAnswer,
    onSent: (sent) => {
      for (const sentence of leftOutSentences(sent)) say(sentence);
    },
    openSession: (emit) =>
      parley.openWrittenSession(
        { settings: {}, dialect: connection.dialect, chunkMs: defaultChunkMs },
        { sockets, server: connection.endpoint?.url, emit },
      ),
  });
  return { chat, attached };
}

function chatSettingsOf(options: ChatCommandOptions, earlier: readonly string[]): ChatSettings {
  const system = [...(options.system === undefined ? [] : [options.system]), ...earlier];
  return {
    system: system.join('\n\n'),
    streaming: !options.noStream,
    speech: options.tts !== undefined,
    voice: options.ttsVoice ?? 'none',
    maxNewTokens: options.maxNewTokens ?? 'server',
    lengthPenalty: options.lengthPenalty ?? 'server',
    thinking: options.thinking,
    ttsTemplate: true,
    maxSlices: options.slices ?? 'server',
  };
}

function failOn(error: string | undefined): void {
  if (error !== undefined) throw new CommandError(error, exitCode.wrongUsage);
}

function greeting({ endpoint, isOnComputer }: Connection): string {
  const builtIn = isOnComputer ? 'the model on this computer' : 'the built-in demonstration';
  const server = endpoint === undefined ? builtIn : new URL(endpoint.url).host;
  return `A written conversation with ${server}. /help lists the commands; Ctrl-D ends the conversation.`;
}

const prompt = '> ';
const continuationPrompt = '… ';

const missingQuestion = chatCommandSpec.word.missing;

/**
 * Reads and sends messages until the input ends. At a prompt, Ctrl-C clears the input. A second Ctrl-C in a row ends the
 * conversation; the first may also have stopped an answer.
 */
async function runMessageLoop(
  lines: LineInput,
  handler: MessageHandler,
  say: (sentence: string) => void,
): Promise<ExitCode> {
  const message = new MessageLines();
  let ctrlCPressed = false;
  let hasQuestion = false;
  for (;;) {
    const line = await lines.next(message.hasLines ? continuationPrompt : prompt);
    switch (line.kind) {
      case 'line': {
        ctrlCPressed = false;
        hasQuestion ||= line.text.trim() !== '';
        const text = message.add(line.text, line.continues);
        if (text === undefined) break;
        const end = await handler.handle(text);
        if (end === 'over') return finalExitCode(lines, handler);
        ctrlCPressed = end === 'stopped';
        break;
      }
      case 'interrupted': {
        const isCleared = line.cleared || message.hasLines;
        message.take();
        if (ctrlCPressed && !isCleared) return finalExitCode(lines, handler);
        ctrlCPressed = !isCleared;
        if (ctrlCPressed) say('Ctrl-C again, or Ctrl-D, ends the conversation.');
        break;
      }
      case 'failed':
        throw new UsageError(englishErrorMessage(line.error));
      case 'ended':
        // The last line ended in a backslash, but no further line comes.
        if (message.hasLines && !lines.typed) await handler.handle(message.take());
        if (!hasQuestion && !lines.typed) throw new UsageError(missingQuestion);
        return finalExitCode(lines, handler);
    }
  }
}

function finalExitCode({ typed }: LineInput, handler: MessageHandler): ExitCode {
  return typed ? exitCode.done : handler.exitCode;
}

/** Joins typed or pasted lines into one message. */
class MessageLines {
  #lines: string[] = [];

  get hasLines(): boolean {
    return this.#lines.length > 0;
  }

  /**
   * Returns the message after its last line. A line continues if it ends in a backslash or is in the middle of
   * a paste.
   */
  add(text: string, continues: boolean): string | undefined {
    const isContinued = !continues && endsWithBackslash.test(text);
    this.#lines.push(isContinued ? text.slice(0, -1) : text);
    return continues || isContinued ? undefined : this.take();
  }

  take(): string {
    const message = this.#lines.join('\n').trimEnd();
    this.#lines = [];
    return message;
  }
}

/** An odd number of backslashes, because two of them are an escaped one. */
const endsWithBackslash = /(?<!\\)(?:\\\\)*\\$/;

/** Converts earlier messages to turns. System messages are returned separately, because every question sends them. */
function earlierThread(messages: readonly ChatMessage[], builder: NewChatTurns) {
  const texts = messages.map(({ role, content }) => ({ role, text: textOf(content) }));
  const turnOf = (role: string, text: string): Turn =>
    role === 'user'
      ? builder.question([{ type: 'text', text }])
      : { ...builder.answer(), text, state: { kind: 'done', cutShort: false } };
  const turns = texts
    .filter(({ role }) => role !== 'system')
    .map(({ role, text }) => turnOf(role, text));
  return {
    thread: { ...builder.thread(), turns },
    system: texts.filter(({ role }) => role === 'system').map(({ text }) => text),
  };
}

function textOf(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
