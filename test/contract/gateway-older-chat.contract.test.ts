import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { decodePcm } from '../../shared/protocol/base64-media.ts';
import { GatewayClient, refusalOf } from './gateway-server-client.ts';
import { gatewayHarness } from './gateway-server-harness.ts';

const { serve, speech } = gatewayHarness();

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

  it('are answered in one piece on request, with the sound once', async () => {
    const url = await serve({ dialect: 'legacy' });
    const spokenRequest = request('Hello!', { streaming: false, tts: { enabled: true } });
    const { answers } = await ask(url, spokenRequest);
    const hello = speech().clips[0];
    const heard = answers.reduce((sum, { audio_data }) => sum + countSamples(audio_data), 0);
    expect(answers.at(-1)).toMatchObject({ type: 'done', text: hello?.text });
    expect(heard).toBe(hello?.audio.length);
  });

  it('accept unknown parts, and numbers as strings', async () => {
    const url = await serve({ dialect: 'legacy' });
    const content = [
      { type: 'video', data: 'AAAA' },
      { type: 'text', text: 'Reply with exactly: a b' },
    ];
    const { answers } = await ask(url, request(content, { generation: { max_new_tokens: '1' } }));
    expect(answers.at(-1)).toMatchObject({ type: 'done', text: 'a', generated_tokens: 1 });
  });

  it.each([
    ['no messages', '{}', /messages field is required/],
    ['an invalid picture', request([{ type: 'image', data: 'AAAA' }]), /image decode failed/],
  ])('say what is wrong with %s', async (_what, message, problem) => {
    const { answers, code } = await ask(await serve({ dialect: 'legacy' }), message);
    expect(answers).toMatchObject([{ type: 'error' }]);
    expect(answers[0]?.error).toMatch(problem);
    expect(code).toBe(1000);
  });

  it.each([
    ['not JSON', '{"messages":'],
    ['two objects in one message', '{},"x":{}'],
    ['a binary message', Buffer.of(1, 2)],
  ])('end without a message on %s', async (_what, message) => {
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
    const status = new URL('/status', url.replace('ws:', 'http:'));
    await expect
      .poll(async (): Promise<unknown> => (await fetch(status)).json())
      .toMatchObject({ idle_workers: 0, queue_length: 1 });
    const behind = new GatewayClient(`${url}?mode=audio`, 'legacy');
    await behind.received('queued');
    holder.send({ kind: 'close', reason: 'user_stop' });
    expect((await waiting).answers.at(-1)).toMatchObject({ text: 'so' });
    await behind.received('admitted');
  });

  it('report a busy worker after five seconds', async () => {
    const url = await serve({ dialect: 'legacy', workers: 1 });
    await new GatewayClient(`${url}?mode=audio`, 'legacy').received('admitted');
    expect(await ask(url, request('Hello'))).toEqual({
      answers: [{ type: 'error', error: 'Worker busy' }],
      code: 1000,
    });
  });

  it.each([
    { dialect: 'unified', profile: 'deployed' },
    { dialect: 'legacy', profile: 'documented' },
  ] as const)('are refused by a $profile $dialect gateway', async (options) => {
    expect(await refusalOf(olderPath(await serve(options)))).toMatchObject({ status: 403 });
  });
});
