import type { ChatTurn, ContentPart } from '../../../shared/protocol/client-ask.ts';
import { outputRate } from '../../../shared/protocol/limits.ts';
import { openWavWriter } from '../../audio/wav-writer.ts';
import type { WavWriter } from '../../audio/wav-writer.ts';
import type { Parley } from '../../compose.ts';
import type { Sockets } from '../../ports/sockets.ts';
import type { SessionEvent } from '../../session/session-event.ts';
import type { Session } from '../../session/session.ts';
import { readChatOptions, chatDetails, chatUsage } from './chat-options.ts';
import type { ChatOptions } from './chat-options.ts';
import { chooseView } from './choose-view.ts';
import type { Command, Terminal } from './command.ts';
import { conduct, exitCodeOf } from './conduct.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { createFile, readPicture } from './given-files.ts';
import { socketsFor } from './sockets-for.ts';

/** One turn of chat: asks, shows the answer as it comes, and ends. */
export const chat: Command = {
  name: 'chat',
  summary: 'ask one thing in writing',
  usage: chatUsage,
  details: chatDetails,
  run: async (args, terminal, parley) => {
    const options = await readChatOptions(args, terminal);
    const turn = await turnOf(options, parley);
    const sockets = await socketsFor(parley, options.connection.endpoint);
    const wav = options.tts === undefined ? undefined : await openWav(parley, options.tts);
    const code = await ask(options, turn, sockets, wav, terminal, parley);
    const written = await wav?.finish();
    if (written?.ok !== false) return code;
    terminal.err(`${written.problem}\n`);
    return exitCode.failed;
  },
};

type Turn = Omit<ChatTurn, 'kind' | 'inputId'>;

async function turnOf(options: ChatOptions, parley: Parley): Promise<Turn> {
  const images: ContentPart[] = [];
  for (const path of options.images) {
    images.push({ type: 'image', image: await readPicture(parley, path) });
  }
  const content = images.length === 0 ? options.text : withImages(options.text, images);
  const system = options.system === undefined ? [] : [systemMessage(options.system)];
  return {
    messages: [...system, { role: 'user', content }],
    streaming: options.streaming,
    maxNewTokens: options.maxNewTokens,
    lengthPenalty: options.lengthPenalty,
    thinking: options.thinking ? true : undefined,
    speech: options.tts === undefined ? undefined : { enabled: true },
    useTtsTemplate: options.tts === undefined ? undefined : true,
  };
}

function systemMessage(content: string): Turn['messages'][number] {
  return { role: 'system', content };
}

function withImages(text: string, images: readonly ContentPart[]): readonly ContentPart[] {
  return [...images, { type: 'text', text }];
}

async function openWav(parley: Parley, path: string): Promise<WavWriter> {
  return openWavWriter(await createFile(parley, path), { rate: outputRate, coding: 'pcm16' });
}

async function ask(
  { connection }: ChatOptions,
  turn: Turn,
  sockets: Sockets,
  wav: WavWriter | undefined,
  terminal: Terminal,
  parley: Parley,
): Promise<ExitCode> {
  const view = chooseView('chat', terminal, connection.json);
  const began = parley.clock.now();
  let session: Session | undefined;
  let answered: boolean | undefined;
  let lastError: string | undefined;
  const hear = (event: SessionEvent): void => {
    const at = parley.clock.now() - began;
    if (event.event === 'audio') {
      wav?.write(event.audio);
      view.show(at, { event: 'audio', turn: event.turn, samples: event.audio.length });
    } else if (event.event === 'listen') view.show(at, { event: 'listen', flushedSamples: 0 });
    else view.show(at, event);
    if (event.event === 'error') lastError = event.code;
    if (event.event !== 'done') return;
    // A turn that an error ended is no answer, even where part of one has come.
    answered = event.reason !== lastError;
    session?.end();
  };
  const ending = await conduct(
    parley,
    { ...terminal, err: view.err },
    {
      options: { mode: 'chat', settings: {}, dialect: connection.dialect, chunkMs: 1000 },
      sockets,
      clock: parley.clock,
      server: connection.endpoint?.url,
      hear,
      begun: (begun) => {
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
