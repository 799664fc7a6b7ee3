import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EmbeddedGateway } from '../../electron/app/servers-composition.ts';
import { createWebSockets } from '../../electron/platform/net/web-socket.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock, systemWallClock } from '../../electron/platform/system/system-clock.ts';
import { testEndpoint } from '../../electron/settings/servers/endpoint-connector.ts';
import { appError } from '../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../shared/i18n/en/errors.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import type { SocketEnd } from '../../shared/ports/sockets.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { type Mode, olderChatMode } from '../../shared/protocol/realtime-api.ts';
import type { EndpointVerdict } from '../../shared/settings/connection-settings.ts';
import { type Endpoint, type EndpointText, parseEndpoint } from '../../shared/settings/endpoint.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { FakePictures } from '../fakes/fake-pictures.ts';
import {
  RecordingListener,
  type Script,
  scriptedServer,
  type ScriptedServer,
} from '../fakes/scripted-server.ts';
import { seeded } from '../fakes/seeded.ts';
import { selfSigned } from '../fakes/self-signed.ts';
import { unwrap } from '../fakes/unwrap.ts';

const certificate = selfSigned();
const other = selfSigned();
const token = 'secret-token-1234';
const plain: Endpoint = { url: '', headers: {}, query: {}, insecure: false, token };

const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function serve(script: Script = {}): Promise<ScriptedServer> {
  const server = await scriptedServer(script);
  ends.push(server.end);
  return server;
}

async function attempt(endpoint: Partial<Endpoint>, handshakeMs = 5000) {
  const listener = new RecordingListener();
  const sockets = createWebSockets({ ...plain, ...endpoint }, { handshakeMs });
  const socket = sockets.connect('audio', listener);
  await listener.reached(1);
  if (listener.log[0] === '<opened>') socket.terminate();
  const end = await listener.end();
  return { opened: listener.log[0] === '<opened>', end };
}

function problemIn(end: SocketEnd): string {
  return end.kind === 'unreachable'
    ? englishErrorMessage(end.error)
    : `not unreachable: ${JSON.stringify(end)}`;
}

/** A server that sends the answer once something arrives, or nothing. */
async function rawServer(answer: string | undefined): Promise<number> {
  const server = createServer((line) => {
    line.on('error', () => undefined);
    line.once('data', () => {
      if (answer !== undefined) line.end(answer);
    });
    ends.push(() => line.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

describe('a server with a self-signed certificate', () => {
  it('is refused with its fingerprint', async () => {
    const server = await serve({ tls: certificate });
    const { end } = await attempt({ url: `wss://localhost:${server.port}/` });
    expect(end).toEqual({
      kind: 'unreachable',
      error: appError('certificateOwn', { fingerprint: certificate.fingerprint }),
      permanent: true,
      untrustedCertificate: {
        fingerprint: certificate.fingerprint,
        fault: 'certificateOwn',
      },
    });
    expect(server.requests).toEqual([]);
  });

  it('is trusted by its fingerprint under any name', async () => {
    const server = await serve({ tls: certificate });
    const { fingerprint } = certificate;
    const { opened } = await attempt({ url: `wss://127.0.0.1:${server.port}/`, fingerprint });
    expect(opened).toBe(true);
  });

  it('gets no request if its certificate is not the trusted one', async () => {
    const server = await serve({ tls: certificate });
    const { fingerprint } = other;
    const { end } = await attempt({ url: `wss://localhost:${server.port}/`, fingerprint });
    expect(end).toMatchObject({
      kind: 'unreachable',
      permanent: true,
      untrustedCertificate: { fingerprint: certificate.fingerprint, fault: 'certificateChanged' },
    });
    expect(problemIn(end)).toContain(certificate.fingerprint);
    expect(server.requests).toEqual([]);
  });

  it('is not trusted with a wrong fingerprint, even if any certificate is accepted', async () => {
    const server = await serve({ tls: certificate });
    const { fingerprint } = other;
    const url = `wss://localhost:${server.port}/`;
    const { opened } = await attempt({ url, fingerprint, insecure: true });
    expect(opened).toBe(false);
  });

  it('is accepted if the user accepts any certificate', async () => {
    const server = await serve({ tls: certificate });
    const { opened } = await attempt({ url: `wss://localhost:${server.port}/`, insecure: true });
    expect(opened).toBe(true);
  });
});

describe('the upgrade request', () => {
  it('has the token in its header only, with the extra headers and fields', async () => {
    const server = await serve();
    await attempt({
      url: `ws://127.0.0.1:${server.port}/v1/realtime?model=a&mode=chat`,
      headers: { 'X-Team': 'blue' },
      query: { tier: 'a b' },
    });
    const [request] = server.requests;
    expect(request?.url).toBe('/v1/realtime?model=a&mode=audio&tier=a+b');
    expect(request?.headers).toMatchObject({ authorization: `Bearer ${token}`, 'x-team': 'blue' });
    expect(request?.headers['sec-websocket-extensions']).toContain('permessage-deflate');
  });

  it.each([
    ['/v1/realtime', '/ws/chat?model=m'],
    ['/v1/realtime/', '/ws/chat?model=m'],
    ['/some/proxy/v1/realtime', '/some/proxy/ws/chat?model=m'],
    ['/elsewhere', '/ws/chat?model=m'],
    ['', '/ws/chat?model=m'],
  ])('goes to another path for the older chat: %j becomes %j', async (path, older) => {
    const server = await serve();
    const url = `ws://127.0.0.1:${server.port}${path}`;
    const listener = new RecordingListener();
    const sockets = createWebSockets({ url, headers: {}, query: { model: 'm' }, insecure: false });
    const socket = sockets.connect(olderChatMode, listener);
    await listener.reached(1);
    expect(server.requests.map((request) => request.url)).toEqual([older]);
    socket.terminate();
    await listener.end();
  });

  it('ignores the proxy variables of the environment', async () => {
    const [server, proxy] = [await serve(), await serve()];
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy']) {
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    const { opened } = await attempt({ url: `ws://127.0.0.1:${server.port}/` });
    expect(opened).toBe(true);
    expect(proxy.lineCount()).toBe(0);
  });
});

describe('the error for an unreachable server', () => {
  it.each([
    ['ws://no-such-host.invalid/', /^There is no server called no-such-host\.invalid|cannot be/],
    ['ws://127.0.0.1:1/', /^Nothing listens at 127\.0\.0\.1:1\. Is the server running\?$/],
    ['ws://localhost:1/', /^Nothing listens at localhost:1\. Is the server running\?$/],
    ['ws://%/', /^Parley cannot connect to this address\.$/],
  ])('is one sentence: %s', async (url, sentence) => {
    const { end } = await attempt({ url });
    expect(problemIn(end)).toMatch(sentence);
    // Only an invalid address is a permanent failure; a host or server may appear at any moment.
    expect('permanent' in end).toBe(url === 'ws://%/');
    expect(JSON.stringify(end)).not.toContain(token);
  });

  it.each(['ws', 'wss'])('names a silent server, with the timeout: %s', async (scheme) => {
    const port = await rawServer(undefined);
    const { end } = await attempt({ url: `${scheme}://127.0.0.1:${port}/` }, 1000);
    expect(end).toEqual({
      kind: 'unreachable',
      error: appError('handshakeSlow', { server: `127.0.0.1:${port}`, seconds: 1 }),
    });
  });

  it.each([
    ['ws', 'SSH-2.0-OpenSSH_9.2\r\n', 'is not a web server'],
    ['ws', '', 'hung up before it answered'],
    [
      'ws',
      'HTTP/1.1 101 Yes\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
      'not as a realtime server',
    ],
    ['wss', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'does not speak TLS'],
    ['wss', '', 'hung up before it answered'],
  ])('explains a server that answers a %s request with %j', async (scheme, answer, problem) => {
    const port = await rawServer(answer);
    const { end } = await attempt({ url: `${scheme}://127.0.0.1:${port}/` });
    expect(problemIn(end)).toContain(problem);
  });
});

async function gateway(options: Parameters<EmbeddedGateway['serve']>[0] = {}) {
  const lifetime = new Lifetime('a served gateway');
  ends.push(() => lifetime.end());
  const deps = {
    clock: systemClock,
    wallClock: systemWallClock,
    random: seeded(1),
    pictures: new FakePictures(),
    log: new FakeLog(),
    lifetime,
  };
  const served = unwrap(await new EmbeddedGateway(deps).serve(options, 0));
  return served.url;
}

async function verdictOn(text: EndpointText, mode: Mode = 'audio'): Promise<EndpointVerdict> {
  const endpoint = unwrap(parseEndpoint({ token, ...text }));
  const codec = createClientCodec(bufferBase64);
  const sockets = createWebSockets(endpoint);
  const verdict = await testEndpoint({ sockets, mode, clock: systemClock, codec });
  expect(JSON.stringify(verdict)).not.toContain(token);
  return verdict;
}

describe('testing the served gateway', () => {
  it.each<Mode>(['audio', 'video', 'chat'])(
    'succeeds for %s and frees its worker',
    async (mode) => {
      const url = await gateway({ workers: 1 });
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const verdict = await verdictOn({ url }, mode);
        // A second test would be queued if the first still held the worker.
        expect(verdict).toMatchObject({ ok: true });
        expect(verdict).not.toHaveProperty('position');
      }
    },
  );
});

describe('testing a server that is not a gateway', () => {
  it.each([401, 403])(
    'reports HTTP %i, and hides a token that the answer repeats',
    async (status) => {
      const server = await scriptedServer({
        upgrade: (line, { headers }) => {
          const body = `no: ${headers.authorization ?? ''}`;
          line.end(`HTTP/1.1 ${status} No\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
        },
      });
      ends.push(server.end);
      const verdict = await verdictOn({ url: `ws://127.0.0.1:${server.port}` });
      expect(verdict).toMatchObject({
        kind: 'refused',
        error: { facts: { status }, detail: expect.stringContaining('•••') as unknown },
      });
    },
  );
});
