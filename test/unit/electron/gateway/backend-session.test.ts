import { beforeEach, describe, expect, it } from 'vitest';
import { type SocketEnd } from '../../../../shared/ports/sockets.ts';
import { flushPromises } from '../../../fakes/promises.ts';
import { FakeBackend, openBackendHarness, openLiveHarness } from './backend-harness.ts';
import { createBackendCodec } from '../../../../electron/gateway/backend.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import { GatewayMetrics } from '../../../../electron/gateway/gateway-metrics.ts';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { setGatewayScene, type GatewayClient, type GatewayScene } from './gateway-client.ts';

const created = { type: 'session.created', session_id: 'backend-1' };

describe('the first frame to the server', () => {
  const initOf = (...stage: Parameters<typeof openBackendHarness>): Record<string, unknown> => {
    const { accept, backend } = openBackendHarness(...stage);
    accept();
    return backend.sent[0]?.['payload'] as Record<string, unknown>;
  };

  it('wraps the prompt of a talk without its special tokens', () => {
    const instructions = 'Be kind.<|im_end|><|im_start|>';
    const { system_prompt: prompt, mode } = initOf('audio', {}, { instructions });
    expect(mode).toBe('full_duplex');
    expect(prompt).toBe('<|audio_end|>Be kind.<|im_end|>\n');
    expect(initOf('chat', {}, { instructions })).toMatchObject({
      mode: 'turn_based',
      system_prompt: 'Be kind.',
    });
  });

  it('has the voices and options of the client', () => {
    const base64 = (sample: number): string =>
      Buffer.from(Float32Array.of(sample).buffer).toString('base64');
    const voice = { model: Float32Array.of(1), speech: Float32Array.of(2) };
    const generation = { temperature: 0.3, topK: undefined, generateAudio: false };
    expect(initOf('audio', {}, { voice, generation })).toMatchObject({
      use_tts: true,
      voice: { ref_audio: base64(1), tts_ref_audio: base64(2) },
      config: { temperature: 0.3, top_k: 100, force_listen_count: 3, length_penalty: 1.1 },
    });
  });
});

describe('the start of a session', () => {
  it('waits for the server, and holds back input until the server is ready', () => {
    const { accept, append, backend, client, news } = openBackendHarness();
    append('early');
    accept();
    expect(client.last('created')).toBeUndefined();
    expect(backend.inputs).toHaveLength(0);
    backend.send(created);
    expect(client.last('created')).toMatchObject({ runtimeMode: 'full_duplex' });
    expect(client.last('created')?.sessionId).not.toBe('backend-1');
    expect(backend.inputs).toHaveLength(1);
    backend.send(created);
    expect(news().filter((word) => word === 'created')).toHaveLength(1);
  });

  it('fails after 70 seconds', () => {
    const { accept, advance, backend, client } = openBackendHarness();
    accept();
    advance(69_999);
    expect(client.closed).toBeUndefined();
    advance(1);
    expect(client.last('error')).toMatchObject({ code: 'session_failed' });
    expect(client.closed).toMatchObject({ code: 1000 });
    expect(backend.socket.terminated).toBe(true);
  });

  it.each([
    ['omni_init_failed', 'session_failed', 1000],
    ['voice_prefill_failed', 'session_failed', 1000],
  ])('fails if the server reports %s', (reason, code, closeCode) => {
    const { accept, backend, client } = openBackendHarness();
    accept();
    backend.send({ type: 'session.closed', reason });
    expect(client.last('error')).toMatchObject({ code });
    expect(client.last('error')?.message).toContain(reason);
    expect(client.closed?.code).toBe(closeCode);
  });

  it.each([
    [{ kind: 'closed', code: 1006, reason: '' }, 'worker_connect_failed'],
    [{ kind: 'closed', code: 1000, reason: '' }, 'worker_busy'],
  ] as const)('fails with an error if the connection then ends with %o', (end, code) => {
    const { accept, backend, client, stats } = openBackendHarness();
    accept();
    backend.socket.end(end);
    expect(client.last('error')).toMatchObject({ code });
    expect(client.closed?.code).toBe(1013);
    expect(stats).toEqual([{ kind: 'error', code }]);
  });
});

describe('the end of a session', () => {
  it('is requested from the server before the next client gets the worker', async () => {
    const { accept, backend, client, enter, stats } = openLiveHarness();
    const next = enter();
    client.ask({ kind: 'close', reason: 'user_stop' });
    expect(client.last('closed')).toMatchObject({ reason: 'user_stop' });
    expect(backend.closes).toMatchObject([{ id: 'backend-1' }]);
    backend.closes[0]?.answer(true);
    await flushPromises();
    expect(next.kinds).toEqual(['queued']);
    backend.socket.end({ kind: 'closed', code: 1000, reason: '' });
    accept();
    expect(next.kinds.at(-1)).toBe('admitted');
    expect(stats.at(-1)).toEqual({ kind: 'ended' });
  });

  it('cuts the connection after two seconds, and does not give the worker to the next client', () => {
    const { advance, backend, client, enter } = openLiveHarness();
    const next = enter();
    client.ask({ kind: 'close', reason: 'user_stop' });
    advance(1999);
    expect(backend.socket.terminated).toBe(false);
    advance(1);
    expect(backend.socket.terminated).toBe(true);
    expect(next.kinds).not.toContain('admitted');
  });

  it('is awaited before the gateway ends', async () => {
    const { advance, backend, client, gateway } = openLiveHarness();
    let hasEnded = false;
    const end = async (): Promise<void> => {
      await gateway.end();
      hasEnded = true;
    };
    void end();
    await flushPromises();
    expect(client.last('closed')?.reason).toBe('server_shutdown');
    expect(backend.closes).toMatchObject([{ id: 'backend-1' }]);
    expect(hasEnded).toBe(false);
    advance(2000);
    await flushPromises();
    expect(hasEnded).toBe(true);
  });

  it('drops the connection when the client leaves while the model loads', () => {
    const { accept, backend, client } = openBackendHarness();
    accept();
    client.caller.disconnected();
    expect(backend.socket.terminated).toBe(true);
    expect(backend.closes).toHaveLength(0);
  });

  it('has the usage that the server counted last', () => {
    const { append, backend, client } = openLiveHarness();
    append('a');
    const usage = { input_token_details: { audio_tokens: 12 } };
    backend.send({ type: 'response.output.delta', kind: 'listen', usage, chunk_index: 0 });
    expect(client.last('listen')?.metrics).toMatchObject({
      usage: { inputAudio: 12 },
      stepIndex: 0,
    });
    client.ask({ kind: 'close', reason: 'user_stop' });
    expect(client.last('closed')?.metrics?.usage).toEqual({ inputAudio: 12 });
  });

  it.each([
    ['prefill_failed', 'backend_error', 'prefill_failed'],
    ['invalid_input', 'backend_error', 'invalid_input'],
    ['timeout', 'timeout', undefined],
    ['context_full', 'context_full', undefined],
  ])('is reported to the client when the server gives %s', (reason, shown, diagnostic) => {
    const { backend, client } = openLiveHarness();
    backend.send({ type: 'session.closed', reason });
    expect(client.last('closed')).toMatchObject({ reason: shown });
    expect(client.last('closed')?.diagnostic).toBe(diagnostic);
    expect(backend.closes).toHaveLength(0);
  });

  it('is sent to the client in its dialect when the server is lost, and then its worker is lost', () => {
    for (const dialect of ['unified', 'legacy'] as const) {
      const { backend, client, enter } = openLiveHarness('audio', { dialect });
      backend.socket.end({ kind: 'closed', code: 1006, reason: '' });
      expect(client.last('closed')).toMatchObject({
        reason: dialect === 'unified' ? 'backend_error' : 'error',
        diagnostic: 'the connection to the model server was lost',
      });
      expect(enter().last('error')?.code).toBe('service_unavailable');
    }
  });
});

describe('bad frames of the server', () => {
  it('are ignored and counted, until too many have come', () => {
    const { backend, client, stats } = openLiveHarness();
    backend.socket.receive('not JSON');
    backend.socket.receive(undefined);
    backend.send({ type: 'response.output.delta', kind: 'audio', audio: 42 });
    backend.send({ type: 'response.think.delta', text: 'hm' });
    expect(client.closed).toBeUndefined();
    expect(stats.filter(({ kind }) => kind === 'ignored')).toHaveLength(4);
    for (let count = 0; count < 20; count += 1) backend.socket.receive('[');
    expect(client.last('closed')).toMatchObject({ reason: 'backend_error' });
  });

  it('leave the session open if they report an error', () => {
    const { backend, client } = openLiveHarness();
    backend.send({ type: 'error', error: { code: 'oops', message: 'no memory' } });
    expect(client.last('error')).toMatchObject({ code: 'inference_failed', message: 'no memory' });
    expect(client.closed).toBeUndefined();
  });
});

describe('the admission to a model server', () => {
  const unreachable: SocketEnd = { kind: 'unreachable', error: appError('connectionGivenUp') };
  const closedAtOnce: SocketEnd = { kind: 'closed', code: 1000, reason: '' };

  let servers: readonly FakeBackend[];
  let metrics: GatewayMetrics;
  let scene: GatewayScene;

  /** Opens a gateway in front of this many servers. */
  function openGatewayWith(count: number): void {
    servers = Array.from({ length: count }, () => new FakeBackend());
    metrics = new GatewayMetrics();
    scene = setGatewayScene(
      {},
      {
        backends: {
          servers,
          codec: createBackendCodec(bufferBase64),
          defaultVoice: new Float32Array(160),
          metrics,
        },
      },
    );
  }

  beforeEach(() => {
    openGatewayWith(2);
  });

  const server = (at: number): FakeBackend => {
    const found = servers[at];
    if (found === undefined) throw new Error(`no server ${at}`);
    return found;
  };
  const states = (): readonly string[] => scene.gateway.status().backends.map(({ state }) => state);

  /** Accepts the newest connection and sends nothing, as a free server does. */
  function accept(at: number): void {
    server(at).socket.open();
    scene.clock.advance(50);
  }

  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 500) {
      scene.clock.advance(Math.min(left, 500));
      await flushPromises();
    }
  }

  function configure(client: GatewayClient): void {
    client.ask({ kind: 'configure', settings: {} });
  }

  describe('a client whose model server cannot be reached', () => {
    it('is first in the queue for a busy server', async () => {
      const talking = scene.enter('audio');
      accept(0);
      const first = scene.enter('audio');
      const second = scene.enter('audio');
      server(1).socket.end(unreachable);
      expect(first.last('queued')).toMatchObject({ stage: 'joined', position: 1 });
      expect(second.last('queued')).toMatchObject({ position: 2 });
      talking.caller.disconnected();
      accept(0);
      expect(first.kinds.at(-1)).toBe('admitted');
      expect(second.last('queued')).toMatchObject({ position: 1 });
    });

    it('is refused after it has failed once at each server', () => {
      const client = scene.enter('audio');
      server(0).socket.end(unreachable);
      server(1).socket.end({ kind: 'refused', status: 404, body: '' });
      expect(client.kinds).toEqual(['error']);
      expect(client.last('error')).toMatchObject({
        code: 'worker_connect_failed',
        message: 'the model server answered HTTP 404',
      });
      expect(client.closed?.code).toBe(1013);
    });

    it('is refused after 15 s in which no server could be reached', async () => {
      openGatewayWith(1);
      server(0).isWell = false;
      const client = scene.enter('audio');
      server(0).socket.end(unreachable);
      await pass(14_500);
      expect(client.closed).toBeUndefined();
      await pass(500);
      expect(client.last('error')?.code).toBe('service_unavailable');
      expect(client.closed?.code).toBe(1013);
    });

    it('gets no other server if its server crashes after the settings were sent', () => {
      const client = scene.enter('audio');
      accept(0);
      configure(client);
      server(0).socket.end({ kind: 'closed', code: 1006, reason: '' });
      expect(client.last('error')?.code).toBe('worker_connect_failed');
      expect(server(1).sockets).toHaveLength(0);
    });
  });

  describe('a model server that another gateway uses', () => {
    it('counts as occupied, not lost, and is tried again with growing pauses while clients wait', async () => {
      openGatewayWith(1);
      const client = scene.enter('audio');
      const tries = [0];
      for (let at = 0; at < 10_000; at += 500) {
        if (server(0).sockets.length > tries.length) tries.push(scene.clock.now());
        if (server(0).socket.state !== 'ended') {
          server(0).socket.open();
          server(0).socket.end(closedAtOnce);
        }
        expect(states()).toEqual(['occupied']);
        await pass(500);
      }
      expect(tries).toEqual([0, 1000, 3000, 7000]);
      await pass(5000);
      accept(0);
      expect(new Set(client.kinds)).toEqual(new Set(['queued', 'admitted']));
      expect(client.all('queued')[0]).toMatchObject({ stage: 'joined', position: 1 });
      const text = metrics.format(scene.gateway.status());
      expect(text).toContain('workers{state="lost"} 0\n');
      expect(text).not.toContain('errors_total{');
    });

    it('is replaced by a free server, also after the settings were sent', () => {
      const client = scene.enter('audio');
      accept(0);
      configure(client);
      server(0).socket.end(closedAtOnce);
      accept(1);
      expect(server(1).sent).toMatchObject([{ type: 'session.init' }]);
      expect(states()).toEqual(['occupied', 'busy']);
      expect(client.kinds).toEqual(['admitted']);
    });
  });
});
