import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddedGateway } from '../../electron/app/servers.ts';
import { createWebSockets } from '../../electron/platform/net/web-socket.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock, systemWallClock } from '../../electron/platform/system/system-clock.ts';
import { testEndpoint } from '../../electron/settings/servers/endpoint-connector.ts';
import { appError } from '../../shared/errors/app-error.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import type { Mode } from '../../shared/protocol/realtime-api.ts';
import type { EndpointVerdict } from '../../shared/settings/connection-settings.ts';
import { type EndpointText, parseEndpoint } from '../../shared/settings/endpoint.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { FakePictures } from '../fakes/fake-pictures.ts';
import { scriptedServer } from '../fakes/scripted-server.ts';
import { seeded } from '../fakes/seeded.ts';
import { selfSigned } from '../fakes/self-signed.ts';
import { textContaining } from '../fakes/text-containing.ts';
import { unwrap } from '../fakes/unwrap.ts';

const token = 'tok-7f3a91c2';
const open: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of open.splice(0).toReversed()) await end();
});

async function listening(server: Server): Promise<number> {
  const lines = new Set<Socket>();
  server.on('connection', (line: Socket) => {
    lines.add(line);
    line.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => {
    for (const line of lines) line.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function gateway(options: Parameters<EmbeddedGateway['serve']>[0] = {}) {
  const lifetime = new Lifetime('a served gateway');
  open.push(() => lifetime.end());
  const deps = {
    clock: systemClock,
    wallClock: systemWallClock,
    random: seeded(1),
    pictures: new FakePictures(),
    log: new FakeLog(),
    lifetime,
  };
  const served = unwrap(await new EmbeddedGateway(deps).serve(options, 0));
  return { url: served.url, port: Number(/:(\d+)/.exec(served.url)?.[1]) };
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
      const { url } = await gateway({ workers: 1 });
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const verdict = await verdictOn({ url }, mode);
        // A second test would be queued if the first still held the worker.
        expect(verdict).toMatchObject({ ok: true });
        expect(verdict).not.toHaveProperty('position');
      }
    },
  );

  describe('behind a self-signed certificate', () => {
    let certificate: ReturnType<typeof selfSigned>;
    beforeAll(() => {
      certificate = selfSigned();
    });

    async function behindTls(): Promise<string> {
      const { port } = await gateway();
      const server = createTlsServer(certificate, (line) => {
        const inner = connect(port, '127.0.0.1');
        for (const each of [line, inner]) each.on('error', () => undefined);
        line.pipe(inner).pipe(line);
        open.push(() => inner.destroy());
      });
      return `wss://localhost:${await listening(server)}`;
    }

    it('reports its fingerprint, and succeeds once the user trusts that', async () => {
      const url = await behindTls();
      const first = await verdictOn({ url });
      expect(first).toMatchObject({
        ok: false,
        kind: 'certificate',
        fingerprint: certificate.fingerprint,
        error: appError('certificateOwn', { fingerprint: certificate.fingerprint }),
      });
      const { fingerprint } = first as { fingerprint: string };
      expect(await verdictOn({ url, fingerprint })).toMatchObject({ ok: true });
    });
  });
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
      open.push(server.end);
      const verdict = await verdictOn({ url: `ws://127.0.0.1:${server.port}` });
      expect(verdict).toMatchObject({
        kind: 'refused',
        error: { facts: { status }, detail: textContaining('•••') },
      });
    },
  );
});
