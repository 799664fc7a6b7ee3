import type { ChatOptions } from '../../../../shared/chat/chat-options.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import { createAttachments } from '../../../chat/attachments.ts';
import { MediaCache } from '../../../chat/media-cache.ts';
import type { WavWriter } from '../../../recorder/recording/wav-writer.ts';
import { socketsFor } from '../commands/sockets-for.ts';
import type { ServerCore } from '../commands/sockets-for.ts';
import { CommandError, UsageError, exitCode } from '../exit-code.ts';
import type { ExitCode } from '../exit-code.ts';
import type { ChatCommandOptions } from '../options/chat-command-options.ts';
import { maxVoiceSeconds, readSound } from '../options/command-files.ts';
import { readMessagesFile } from '../options/read-messages-file.ts';
import { withSpeechFile } from '../options/speech-file.ts';
import type { Terminal } from '../terminal-command.ts';
import { AnswerView } from './answer-view.ts';
import { AttachedFiles } from './attached-files.ts';
import { converseInWriting } from './converse-in-writing.ts';
import { earlierThread } from './earlier-thread.ts';
import { TerminalChat } from './terminal-chat.ts';
import { WrittenTurns, leftOutSentences } from './written-turns.ts';

/** What it needs of the core. */
export type ConversationCore = Pick<
  Parley,
  | 'clock'
  | 'random'
  | 'files'
  | 'pictures'
  | 'openWrittenSession'
  | 'carryOverMessages'
  | 'transcriptWords'
> &
  ServerCore;

/** A conversation in the terminal: with a person at its prompt, or with a script, a message a line. */
export function runWrittenConversation(
  options: ChatCommandOptions,
  terminal: Terminal,
  parley: ConversationCore,
  nothingAsked: string,
): Promise<ExitCode> {
  const { openLines } = terminal;
  if (openLines === undefined) throw new UsageError(nothingAsked);
  return withSpeechFile(parley, terminal, options.tts, async (wav) => {
    const said: (sentence: string) => void = (sentence) => {
      terminal.err(`${sentence}\n`);
    };
    const { chat, view, attached } = await openTerminalChat(options, terminal, parley, wav, said);
    const lines = openLines(chat.stop);
    const stopListening = terminal.onInterrupt?.(() => {
      lines.close();
      chat.stop();
    });
    if (lines.typed) said(greetingOf(options));
    const turns = new WrittenTurns({
      chat,
      view,
      attached,
      files: parley.files,
      words: parley.transcriptWords,
      say: said,
      typed: lines.typed,
    });
    try {
      return await converseInWriting(lines, turns, { say: said, nothingAsked });
    } finally {
      stopListening?.();
      lines.close();
      await chat.close();
    }
  });
}

async function openTerminalChat(
  options: ChatCommandOptions,
  terminal: Terminal,
  parley: ConversationCore,
  wav: WavWriter | undefined,
  say: (sentence: string) => void,
) {
  const { connection, messages, ttsVoice } = options;
  const { clock, random } = parley;
  const wallClock = Date.now;
  const earlier = earlierThread(
    messages === undefined ? [] : await readMessagesFile(parley, messages),
    { random, wallClock },
  );
  const voice =
    ttsVoice === undefined ? undefined : await readSound(parley, ttsVoice, maxVoiceSeconds);
  const media = new MediaCache();
  const attachments = createAttachments({ pictures: parley.pictures, media, random });
  const attached = new AttachedFiles({ files: parley.files, attachments, say });
  for (const path of options.images) refuseUnless(await attached.add(path, 'image'));
  for (const path of options.sounds) refuseUnless(await attached.add(path, 'audio'));
  const sockets = await socketsFor(parley, connection);
  const { goOnAnswer } = await parley.carryOverMessages();
  const view = new AnswerView({
    terminal,
    json: connection.json,
    clock,
    played: (samples) => {
      wav?.write(samples);
    },
  });
  const chat = new TerminalChat(chatOptionsOf(options, earlier.system), earlier.thread, {
    clock,
    random,
    wallClock,
    media,
    view,
    voice: () => voice,
    goOnPrompt: () => goOnAnswer,
    sent: (sent) => {
      for (const sentence of leftOutSentences(sent)) say(sentence);
    },
    openSession: (emit) =>
      parley.openWrittenSession(
        { settings: {}, dialect: connection.dialect, chunkMs: 1000 },
        { sockets, server: connection.endpoint?.url, emit },
      ),
  });
  return { chat, view, attached };
}

function chatOptionsOf(options: ChatCommandOptions, earlier: readonly string[]): ChatOptions {
  const system = [...(options.system === undefined ? [] : [options.system]), ...earlier];
  return {
    system: system.length === 0 ? undefined : system.join('\n\n'),
    streaming: options.streaming,
    speech: options.tts !== undefined,
    voice: options.ttsVoice,
    maxNewTokens: options.maxNewTokens,
    lengthPenalty: options.lengthPenalty,
    thinking: options.thinking,
    maxSlices: options.slices,
  };
}

function refuseUnless(wrong: string | undefined): void {
  if (wrong !== undefined) throw new CommandError(wrong, exitCode.wrongUsage);
}

function greetingOf({ connection: { endpoint } }: ChatCommandOptions): string {
  const server = endpoint === undefined ? 'the server built in' : new URL(endpoint.url).host;
  return `A written conversation with ${server}. /help lists what can be typed; Ctrl-D ends it.`;
}
