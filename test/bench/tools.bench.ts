import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { OpenThread } from '../../electron/chat/open-thread.ts';
import { MediaCache } from '../../electron/chat/attachments.ts';
import { createWebSockets } from '../../electron/platform/net/web-socket.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { connectMcpServer } from '../../electron/platform/tools/mcp-connection.ts';
import { openSession } from '../../electron/talk/session/session.ts';
import type { Tool } from '../../electron/tools/tool.ts';
import type { ChatPatch } from '../../shared/chat/chat-thread.ts';
import type { Sockets } from '../../shared/ports/sockets.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { defaultSettings } from '../../shared/settings/settings.ts';
import { BenchProcess } from './conversation/bench-process.ts';
import type { GatewayMessage } from './conversation/gateway.ts';
import { quantile } from '../../shared/statistics.ts';

const calls = 120;
const callsPerChat = 20;
const otherTools = 49;
const toolMs = 10;
const personMs = 20;
const messagesPerShape = 20;

/** The time that a call adds to an answer, and how long a large message of a tool server stops other work. */
export async function bench(): Promise<void> {
  await measureCalls();
  await measureMessages();
}

/** Measures tool calls of a chat, and subtracts the times that the tool takes and that the user takes to allow the call. */
async function measureCalls(): Promise<void> {
  const gateway = new BenchProcess<GatewayMessage>('gateway.ts', [JSON.stringify({ options: {} })]);
  const { url } = await gateway.until('ready');
  const watch = new FrameTimes(createWebSockets({ url, headers: {}, query: {}, insecure: false }));
  const added: number[] = [];
  while (added.length < calls) added.push(...(await chatWithCalls(watch)));
  report(`a call adds, beside the tool and the person (${added.length} calls)`, added);
  gateway.leave();
  await gateway.end();
}

/** Times of the newest frames on the wire. */
class FrameTimes {
  receivedAt = 0;
  sentAt = 0;
  readonly sockets: Sockets;

  constructor({ connect }: Sockets) {
    this.sockets = {
      connect: (mode, listener) =>
        connect(mode, {
          ...listener,
          sending: (text) => {
            listener.sending?.(text);
            if (text.includes('tool_response')) this.sentAt = performance.now();
          },
          received: (text) => {
            this.receivedAt = performance.now();
            listener.received(text);
          },
        }),
    };
  }
}

async function chatWithCalls(watch: FrameTimes): Promise<readonly number[]> {
  const added: number[] = [];
  let beside = 0;
  let receivedAt = Infinity;
  let answered: () => void = () => undefined;
  const lookUp: Tool = {
    ...otherTool('look_up'),
    run: async () => {
      const before = performance.now();
      await wait(toolMs);
      beside += performance.now() - before;
      return { ok: true, value: { text: 'The tower is white. '.repeat(200), isError: false } };
    },
  };
  const onPatch = (patch: ChatPatch): void => {
    if (patch.kind === 'call' && patch.call.state === 'asking') {
      receivedAt = watch.receivedAt;
      const before = performance.now();
      setTimeout(() => {
        beside = performance.now() - before;
        chat.decideCall(patch.call.id, 'once');
      }, personMs);
    }
    // Stops the chat, because the demonstration would read out the whole response of the tool.
    if (patch.kind === 'text' && watch.sentAt > receivedAt) chat.stop();
    if (patch.kind === 'answer' && patch.state.kind !== 'streaming') answered();
  };
  const chat: OpenThread = new OpenThread(
    { options: defaultSettings.chat },
    {
      media: new MediaCache(),
      clock: systemClock,
      wallClock: Date.now,
      random: Math.random,
      tools: {
        list: () => [lookUp, ...Array.from({ length: otherTools }, (_, at) => otherTool(`t${at}`))],
        isAlwaysAllowed: () => false,
        allowAlways: () => undefined,
        describeError: ({ code }) => code,
      },
      openSession: (emit) =>
        openSession(
          { mode: 'chat', settings: {}, dialect: 'unified', chunkMs: 1000 },
          {
            sockets: watch.sockets,
            clock: systemClock,
            random: Math.random,
            codec: createClientCodec(bufferBase64),
            emit,
            rememberDialect: () => undefined,
          },
        ),
      emit: onPatch,
      onChanged: () => undefined,
    },
  );
  for (let count = 0; count < callsPerChat; count += 1) {
    const done = new Promise<void>((resolve) => {
      answered = resolve;
    });
    receivedAt = Infinity;
    const text = `Call look_up {"words": "tower ${count}"}`;
    const sent = chat.send([{ type: 'text', text }]);
    if (!sent.ok) throw new Error(sent.error.code);
    await done;
    added.push(watch.sentAt - receivedAt - beside);
  }
  await chat.close();
  return added;
}

const otherTool = (name: string): Tool => ({
  name,
  server: 'a server',
  description: `Finds words about a tower, for question ${name}, in one of many places.`,
  schema: {
    type: 'object',
    properties: { words: { type: 'string', description: 'The words to find' } },
    required: ['words'],
  },
  isRisky: true,
  run: () => Promise.resolve({ ok: true, value: { text: '', isError: false } }),
});

/** Measures how long a large message of a tool server blocks the core's process, which also plays sound. */
async function measureMessages(): Promise<void> {
  const script = fileURLToPath(new URL('large-mcp-server.mjs', import.meta.url));
  const place = { kind: 'program' as const, command: process.execPath, args: [script] };
  const listener = { onClosed: () => undefined, onToolsChanged: () => undefined };
  const connected = await connectMcpServer({ name: 'large', place }, {}, listener);
  if (!connected.ok) throw new Error(connected.error.code);
  for (const shape of ['small', 'text', 'chinese', 'parts', 'nested']) {
    const longest: number[] = [];
    for (let count = 0; count < messagesPerShape; count += 1) {
      const gaps = watchGaps();
      const called = await connected.value.call(shape, {}, { onStop: () => undefined });
      if (!called.ok) throw new Error(called.error.code);
      longest.push(gaps.end());
    }
    report(`a message (${shape}) stops other work for`, longest);
  }
  await connected.value.close();
}

/** Measures the longest time for which the event loop was blocked, until `end` is called. */
function watchGaps() {
  let last = performance.now();
  let longest = 0;
  let isOver = false;
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  return {
    end: (): number => {
      isOver = true;
      look();
      return longest;
    },
  };
}

function report(what: string, values: readonly number[]): void {
  const at = (fraction: number): string => quantile(values, fraction).toFixed(2);
  process.stdout.write(`${what}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms\n`);
}
