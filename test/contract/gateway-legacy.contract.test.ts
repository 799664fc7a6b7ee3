import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openParley, type Parley } from '../../electron/app/parley.ts';
import type { GatewayOptions } from '../../electron/gateway/gateway-options.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import type { SessionEvent } from '../../electron/talk/session/session-event.ts';
import type { SessionOptions } from '../../electron/talk/session/session.ts';
import { encodeWav } from '../../shared/audio/wav.ts';
import type { Sockets } from '../../shared/ports/sockets.ts';
import { decodePcm, encodePcm } from '../../shared/protocol/base64-media.ts';
import { parley as runParley } from '../fakes/fake-terminal.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { silence, spokenTo, voice } from '../unit/electron/gateway/gateway-client.ts';
import { GatewayClient, gatewayHarness, httpUrl, refusalOf } from './gateway-harness.ts';

const { serve, speech } = gatewayHarness();

const append = { kind: 'append', audio: silence(1000) } as const;
const wav = encodeWav(voice(500), { coding: 'float32', rate: 16_000, channels: 1 });
const wavText = bufferBase64.encode(wav);
const floatText = encodePcm(voice(500), bufferBase64);

const goLive = (url: string) => GatewayClient.live(url, 'legacy');

const update = (session?: object): string => JSON.stringify({ type: 'session.update', session });

describe('a deployed legacy gateway', () => {
  const start = async (options = {}) =>
    `${await serve({ dialect: 'legacy', ...options })}?mode=audio`;

  it('ignores an event of the unified dialect without a reply, before and during a session', async () => {
    const frame = '{"type":"session.init","payload":{}}';
    const client = new GatewayClient(await start(), 'legacy');
    await client.received('admitted');
    client.socket.send(frame);
    await client.configure();
    client.socket.send(frame);
    client.send(append);
    await client.received('listen');
    expect(client.kinds).toEqual(['admitted', 'created', 'listen']);
  });

  it.each([
    ['no session', update()],
    ['no instructions', update({})],
  ])('accepts a configure that has %s', async (_what, frame) => {
    const client = new GatewayClient(await start(), 'legacy');
    await client.received('admitted');
    client.socket.send(frame);
    await client.received('created');
  });

  it('answers an append without a session or without sound with `inference_failed`, and continues', async () => {
    const client = new GatewayClient(await start(), 'legacy');
    await client.received('admitted');
    client.send(append);
    expect((await client.received('error')).code).toBe('inference_failed');
    await client.configure();
    client.socket.send('{"type":"input_audio_buffer.append"}');
    expect((await client.received('error', 2)).code).toBe('inference_failed');
    client.send(append);
    await client.received('listen');
  });

  const invalidFrames: readonly (readonly [string, string | Buffer])[] = [
    ['invalid JSON', '{"type":'],
    ['a binary frame', Buffer.from('{}')],
    ['text that is not base64', '{"type":"input_audio_buffer.append","audio":"@@@"}'],
    ['half a sample', '{"type":"input_audio_buffer.append","audio":"AAAA"}'],
    [
      'an invalid picture',
      `{"type":"input_audio_buffer.append","audio":"${floatText}","video_frames":["AAAA"]}`,
    ],
    ['a voice of odd length', update({ instructions: '', ref_audio: 'AAAA' })],
  ];

  it.each(invalidFrames)('drops the connection silently after %s', async (_what, frame) => {
    const client = await goLive(await start());
    const before = client.kinds.length;
    client.socket.send(frame);
    expect((await client.ended).code).toBe(1006);
    expect(client.kinds).toHaveLength(before);
  });

  it.each([
    ['its time limit', { sessionSeconds: { audio: 0.05, video: 1 } }, 'timeout'],
    ['its shutdown', { faults: [{ kind: 'shutdown', afterMs: 50 }] as const }, 'server_shutdown'],
  ])('ends the session at %s without a close frame', async (_what, options, reason) => {
    const client = new GatewayClient(await start(options), 'legacy');
    expect((await client.received('closed')).reason).toBe(reason);
    expect(await client.ended).toEqual({ code: 1006, reason: '' });
  });

  it('reports a full context once and continues', async () => {
    const client = await goLive(await start({ contextTokens: 60 }));
    for (let nr = 1; nr <= 6; nr += 1) {
      client.send(append);
      await client.received('listen', nr);
    }
    expect(client.events.filter(({ kind }) => kind === 'closed')).toMatchObject([
      { reason: 'context_full' },
    ]);
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
    client.send({ kind: 'append', audio: spokenTo });
    await client.received('output');
  });
});

describe('a documented legacy gateway', () => {
  it('accepts a close only for an existing session', async () => {
    const url = await serve({ dialect: 'legacy', profile: 'documented', workers: 1 });
    const client = new GatewayClient(url, 'legacy');
    await client.received('admitted');
    client.send({ kind: 'close', reason: 'user_stop' });
    expect((await client.received('error')).code).toBe('invalid_event');
    const waiting = new GatewayClient(url, 'legacy');
    await waiting.received('queued');
    waiting.send({ kind: 'close', reason: 'user_stop' });
    expect((await waiting.received('error')).code).toBe('not_ready');
  });
});

describe.each(['documented', 'deployed'] as const)('a reference voice, %s', (profile) => {
  it.each([
    ['a WAV file', wavText],
    ['raw float32', floatText],
  ])('may be %s in the older dialect', async (_what, voiceText) => {
    const url = await serve({ dialect: 'legacy', profile });
    const client = new GatewayClient(url, 'legacy');
    await client.received('admitted');
    client.socket.send(
      update({ instructions: '', ref_audio: voiceText, tts_ref_audio: voiceText }),
    );
    await client.received('created');
  });
});

interface Answer {
  readonly type: string;
  readonly text?: string;
  readonly text_delta?: string;
  readonly audio_data?: string;
  readonly input_tokens?: number;
  readonly generated_tokens?: number;
  readonly error?: string;
}

const olderPath = (url: string): string => url.replace('/v1/realtime', '/ws/chat');

/** Sends one request and returns all answers. */
async function ask(url: string, message: string | Buffer) {
  const socket = new WebSocket(olderPath(url));
  const answers: Answer[] = [];
  socket.on('open', () => {
    socket.send(message, { binary: typeof message !== 'string' });
  });
  socket.on('message', (data: Buffer) => {
    answers.push(JSON.parse(data.toString()) as Answer);
  });
  const code = await new Promise((resolve) => {
    socket.on('close', resolve);
  });
  return { answers, code };
}

const request = (content: unknown, fields: object = {}): string =>
  JSON.stringify({ messages: [{ role: 'user', content }], ...fields });

const countSamples = (audio = ''): number =>
  decodePcm(bufferBase64.decode(audio) ?? new Uint8Array(0))?.audio.length ?? 0;

describe('chats at the path of older gateways', () => {
  it('are answered in pieces, and the connection ends with the answer', async () => {
    const url = await serve({ dialect: 'legacy' });
    const { answers, code } = await ask(url, request('Reply with exactly: one two three four'));
    expect(answers.map(({ type }) => type)).toEqual(['prefill_done', 'chunk', 'chunk', 'done']);
    expect(answers.map(({ text_delta = '' }) => text_delta).join('')).toBe('one two three four');
    expect(answers.at(-1)).toEqual({
      type: 'done',
      text: 'one two three four',
      generated_tokens: 4,
      input_tokens: answers[0]?.input_tokens,
    });
    expect(answers[0]?.input_tokens).toBeGreaterThan(5);
    expect(code).toBe(1000);
  });

  it('are answered in one piece on request, with the sound only once', async () => {
    const url = await serve({ dialect: 'legacy' });
    const spokenRequest = request('Hello!', { streaming: false, tts: { enabled: true } });
    const { answers } = await ask(url, spokenRequest);
    const hello = speech().clips[0];
    const heard = answers.reduce((sum, { audio_data }) => sum + countSamples(audio_data), 0);
    expect(answers.at(-1)).toMatchObject({ type: 'done', text: hello?.text });
    expect(heard).toBe(hello?.audio.length);
  });

  it.each([
    ['no messages', '{}', /messages field is required/],
    ['an invalid picture', request([{ type: 'image', data: 'AAAA' }]), /image decode failed/],
  ])(
    'are refused with an explanation of what is wrong with %s',
    async (_what, message, problem) => {
      const { answers, code } = await ask(await serve({ dialect: 'legacy' }), message);
      expect(answers).toMatchObject([{ type: 'error' }]);
      expect(answers[0]?.error).toMatch(problem);
      expect(code).toBe(1000);
    },
  );

  it.each([
    ['invalid JSON', '{"messages":'],
    ['two objects in one message', '{},"x":{}'],
    ['a binary message', Buffer.of(1, 2)],
  ])('end without an answer after %s', async (_what, message) => {
    expect(await ask(await serve({ dialect: 'legacy' }), message)).toEqual({
      answers: [],
      code: 1000,
    });
  });

  it('occupy a worker and release it', async () => {
    const url = await serve({ dialect: 'legacy', workers: 1 });
    const holder = new GatewayClient(`${url}?mode=audio`, 'legacy');
    await holder.received('admitted');
    const waiting = ask(url, request('Reply with exactly: so'));
    await expect
      .poll(async (): Promise<unknown> => (await fetch(httpUrl(url, '/status'))).json())
      .toMatchObject({ idle_workers: 0, queue_length: 1 });
    const behind = new GatewayClient(`${url}?mode=audio`, 'legacy');
    await behind.received('queued');
    holder.send({ kind: 'close', reason: 'user_stop' });
    expect((await waiting).answers.at(-1)).toMatchObject({ text: 'so' });
    await behind.received('admitted');
  });

  it.each([
    { dialect: 'unified', profile: 'deployed' },
    { dialect: 'legacy', profile: 'documented' },
  ] as const)('are refused by a $profile $dialect gateway', async (options) => {
    expect(await refusalOf(olderPath(await serve(options)))).toMatchObject({ status: 403 });
  });
});

const speechFolder = join(import.meta.dirname, '..', '..', 'resources', 'speech');

let parley: Parley | undefined;

afterEach(async () => {
  await parley?.lifetime.end();
  parley = undefined;
});

it('parley dictate prints the words of a recording, from the embedded gateway', async () => {
  vi.stubEnv('PARLEY_STATE_DIR', workFolder()('state'));
  const { code, out } = await runParley('dictate', '--audio', join(speechFolder, 'hello.wav'));
  expect([code, out]).toEqual([0, 'Hello, I am the demonstration that lives inside Parley.\n']);
});

/** A core with a state folder of this test. */
function core(): Parley {
  vi.stubEnv('PARLEY_STATE_DIR', workFolder()('state'));
  parley = openParley('terminal', '0');
  return parley;
}

const older = { dialect: 'legacy', profile: 'deployed', stepMs: 20 } as const;
const says = (words: string) => ({
  messages: [{ role: 'user', content: `Reply with exactly: ${words}` }] as const,
});

/** Asks questions in order on one session; returns the replies and the paths used. */
async function askInOrder(
  { servers }: Parley,
  sockets: Sockets,
  dialect: SessionOptions['dialect'],
  words: readonly string[],
  server?: string,
) {
  const modes: string[] = [];
  const events: SessionEvent[] = [];
  const closed = await new Promise<Extract<SessionEvent, { event: 'closed' }>>((resolve) => {
    let remaining = words.length;
    const session = servers.sessions.openWrittenSession(
      { settings: {}, dialect, chunkMs: 1000 },
      {
        server,
        sockets: {
          connect: (mode, listener) => {
            modes.push(mode);
            return sockets.connect(mode, listener);
          },
        },
        emit: (event) => {
          events.push(event);
          if (event.event === 'closed') resolve(event);
          if (event.event !== 'done') return;
          remaining -= 1;
          if (remaining === 0) session.end();
        },
      },
    );
    for (const each of words) session.ask(says(each));
  });
  const answers = events.filter((event) => event.event === 'done').map(({ text }) => text);
  const streamed = events.filter((event) => event.event === 'text').map(({ text }) => text);
  return { answers, streamed: streamed.join(''), modes, closed, events };
}

async function serveToCore({ servers }: Parley, options: Partial<GatewayOptions>) {
  const { url } = unwrap(await servers.gateway.serve(options, 0));
  return { url, sockets: servers.connectTo({ url, headers: {}, query: {}, insecure: false }) };
}

describe('a chat with a server that speaks the legacy dialect', () => {
  it('uses the older path if the dialect is set, with a connection per question', async () => {
    const opened = core();
    const { sockets } = await serveToCore(opened, older);
    const { answers, streamed, modes, closed, events } = await askInOrder(
      opened,
      sockets,
      'legacy',
      ['one two', 'three'],
    );
    expect(answers).toEqual(['one two', 'three']);
    expect(streamed).toBe('one twothree');
    expect(modes).toEqual(['older-chat', 'older-chat']);
    expect(closed).toMatchObject({ orderly: true, by: 'client' });
    expect(events.find(({ event }) => event === 'metrics')).toMatchObject({
      metrics: { values: { generated_tokens: 2 } },
    });
  });

  it('finds the older path of an unknown server that is silent in chat mode', async () => {
    const opened = core();
    const { sockets } = await serveToCore(opened, older);
    const { answers, modes } = await askInOrder(opened, sockets, 'auto', ['one', 'two']);
    expect(answers).toEqual(['one', 'two']);
    expect(modes).toEqual(['chat', 'older-chat', 'older-chat']);
  });

  it('reports that the worker is busy', { timeout: 20_000 }, async () => {
    const opened = core();
    const { sockets } = await serveToCore(opened, { ...older, workers: 1 });
    const talk = await new Promise<{ readonly end: () => void }>((resolve) => {
      const session = opened.servers.sessions.openSession(
        { mode: 'audio', settings: {}, dialect: 'legacy', chunkMs: 1000 },
        {
          sockets,
          emit: (event) => {
            if (event.event === 'state' && event.state === 'live')
              queueMicrotask(() => {
                resolve(session);
              });
          },
        },
      );
    });
    const { closed } = await askInOrder(opened, sockets, 'legacy', ['one']);
    talk.end();
    expect(closed).toMatchObject({ error: { code: 'workersBusy' }, by: 'server' });
  });
});
