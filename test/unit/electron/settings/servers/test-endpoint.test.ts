import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import {
  EndpointConnector,
  testEndpoint,
} from '../../../../../electron/settings/servers/endpoint-connector.ts';
import {
  type AppError,
  appError,
  failure,
  refusedError,
} from '../../../../../shared/errors/app-error.ts';
import type { SocketEnd } from '../../../../../shared/ports/sockets.ts';
import { createClientCodec } from '../../../../../shared/protocol/client-codec.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSockets } from '../../../../fakes/fake-sockets.ts';

function startTest() {
  const clock = new FakeClock();
  clock.advance(1000);
  const sockets = new FakeSockets();
  const codec = createClientCodec(bufferBase64);
  const verdict = testEndpoint({ sockets, mode: 'audio', clock, codec });
  return { clock, line: sockets.line, verdict, connections: sockets.lines };
}

const frame = (type: string, fields: object = {}): string => JSON.stringify({ type, ...fields });

describe('a server test', () => {
  it('passes with a queue position, and disconnects without a request', async () => {
    const { clock, line, verdict, connections } = startTest();
    clock.advance(80);
    line.open();
    clock.advance(20);
    line.receive(frame('session.queued', { position: 3 }));
    expect(line.closes).toEqual([{ code: 1000, reason: '' }]);
    line.end({ kind: 'closed', code: 1000, reason: '' });
    expect(await verdict).toEqual({ ok: true, connectMs: 80, firstMessageMs: 20, position: 3 });
    expect([line.sent, line.terminated, line.mode, connections.length]).toEqual([
      [],
      false,
      'audio',
      1,
    ]);
  });

  it.each(['session.queue_done', 'session.created'])(
    'passes with %s after an unknown event, even without a closing handshake',
    async (type) => {
      const { clock, line, verdict } = startTest();
      line.open();
      line.receive(frame('session.of_the_future'));
      expect(line.closes).toEqual([]);
      line.receive(frame(type));
      clock.advance(1500);
      expect(await verdict).toEqual({ ok: true, connectMs: 0, firstMessageMs: 0 });
      expect(line.terminated).toBe(true);
    },
  );

  it('reports a connection that does not open as slow', async () => {
    const { clock, line, verdict } = startTest();
    clock.advance(8000);
    expect(line.closes).toHaveLength(1);
    line.open();
    line.receive(frame('session.queue_done'));
    clock.advance(1500);
    expect(await verdict).toMatchObject({
      ok: false,
      kind: 'slow',
      error: appError('testSlow', { seconds: 8 }),
    });
  });

  it('reports a connection without events as slow', async () => {
    const { clock, line, verdict } = startTest();
    clock.advance(7000);
    line.open();
    clock.advance(5000);
    clock.advance(1500);
    expect(await verdict).toMatchObject({
      kind: 'slow',
      error: appError('testSilent', { seconds: 5 }),
    });
  });

  it.each([
    ['hello, I am a chat bot', 'notRealtime', appError('testOther')],
    [undefined, 'notRealtime', appError('testOther')],
    [frame('response.listen'), 'notRealtime', appError('testOther')],
    [
      frame('response.tool_call.abort', { tool_call_id: 'c' }),
      'notRealtime',
      appError('testOther'),
    ],
    [frame('response.done'), 'notRealtime', appError('testOther')],
    [
      frame('response.output.delta', { kind: 'text', text: 'Yes.' }),
      'notRealtime',
      appError('testOther'),
    ],
    [
      frame('error', { error: { code: 'queue_full', message: 'come back later' } }),
      'busy',
      appError('testBusy', {}, { detail: 'come back later' }),
    ],
    [
      frame('session.closed', { reason: 'server_shutdown' }),
      'busy',
      appError('testEnds', {}, { detail: 'server_shutdown' }),
    ],
  ])('fails with the kind of its first event: %j', async (text, kind, error) => {
    const { clock, line, verdict } = startTest();
    line.open();
    line.receive(text);
    clock.advance(2000);
    expect(await verdict).toMatchObject({ ok: false, kind, error });
  });
});

const refused = (status: number, body = ''): SocketEnd => ({ kind: 'refused', status, body });
const unreachable = (error: AppError): SocketEnd => ({ kind: 'unreachable', error });
const closed = (code: number): SocketEnd => ({ kind: 'closed', code, reason: 'because' });
const because = { detail: 'because' };
const fingerprint = 'AA:BB';

describe('a connection that ends before the first event', () => {
  it.each<[SocketEnd, object]>([
    [unreachable(appError('badAddress')), { kind: 'unreachable', error: appError('badAddress') }],
    [refused(401, 'bad token'), { kind: 'refused', error: refusedError(401, 'bad token') }],
    [refused(404, 'no page'), { kind: 'notRealtime', error: refusedError(404, '') }],
    [refused(429), { kind: 'busy', error: refusedError(429, '') }],
    [refused(503, '<html>a page</html>'), { kind: 'busy', error: refusedError(503, '') }],
    [
      refused(405, '<!DOCTYPE html><title>Error</title>'),
      { kind: 'notRealtime', error: appError('refusedByWeb', { status: 405 }) },
    ],
    [
      refused(403, '<html>No.</html>'),
      { kind: 'refused', error: appError('refusedForbidden', { status: 403 }, { detail: '' }) },
    ],
    [refused(500), { kind: 'busy', error: refusedError(500, '') }],
    [refused(400), { kind: 'refused', error: refusedError(400, '') }],
    [refused(418), { kind: 'refused', error: refusedError(418, '') }],
    [refused(200), { kind: 'notRealtime', error: appError('testNoServer', { status: 200 }) }],
    [closed(1008), { kind: 'refused', error: appError('testForbids', {}, because) }],
    [closed(1013), { kind: 'busy', error: appError('testFull', {}, because) }],
    [
      { kind: 'closed', code: 1008, reason: `${'x'.repeat(200)}y` },
      { kind: 'refused', error: appError('testForbids', {}, { detail: `${'x'.repeat(200)}…` }) },
    ],
    [
      { kind: 'closed', code: 1008, reason: '<b>No.</b>' },
      { kind: 'refused', error: appError('testForbids', {}, { detail: '' }) },
    ],
    [closed(1006), { kind: 'unreachable', error: appError('testCut') }],
    [closed(1000), { kind: 'notRealtime', error: appError('testClosed', { code: 1000 }, because) }],
    ...(['certificateOwn', 'certificateChanged'] as const).map((fault): [SocketEnd, object] => {
      const error = appError(fault, { fingerprint });
      const untrustedCertificate = { fingerprint, fault };
      return [
        { kind: 'unreachable', error, untrustedCertificate },
        { kind: 'certificate', fingerprint, error },
      ];
    }),
  ])('is explained by the verdict: %j', async (end, verdict) => {
    const { line, verdict: found } = startTest();
    if (end.kind === 'closed') line.open();
    line.end(end);
    expect(await found).toEqual({ ok: false, ...verdict });
  });
});

const profile = {
  id: 'home',
  name: 'Home',
  kind: 'local',
  url: 'ws://home:1',
  dialect: 'auto',
  headers: {},
  query: {},
  hasToken: false,
} as const;
const endpoint = { url: 'ws://home:1/v1/realtime', headers: {}, query: {}, insecure: false };
const servers = [
  { profile, endpoint },
  { profile: { ...profile, id: 'embedded', kind: 'embedded' }, endpoint: undefined },
  { profile: { ...profile, id: 'computer', kind: 'computer' }, endpoint: undefined },
] as const;

/** `log` has what is opened by name, and what is watched by address; `broken` cannot be opened. */
function createConnector(log: unknown[], broken: { name?: string }) {
  const gone = failure('serverGone');
  const find = async (id = 'home') => {
    const value = servers.find((server) => server.profile.id === id);
    return value === undefined ? gone : { ok: true as const, value };
  };
  const open = async (name: string) => {
    log.push(name);
    return broken.name === name ? gone : { ok: true as const, value: new FakeSockets() };
  };
  return new EndpointConnector({
    clock: new FakeClock(),
    codec: createClientCodec(bufferBase64),
    endpoints: { open: find, openDraft: ({ url }) => find(url) },
    embeddedGateway: () => open('embedded'),
    computer: () => open('computer'),
    connectTo: () => new FakeSockets(),
    watchSockets: (sockets, watched) => {
      log.push(watched?.url);
      return sockets;
    },
  });
}

it('the sockets of a server are watched, and the demonstration is opened only once', async () => {
  const log: unknown[] = [];
  const broken = { name: 'embedded' };
  const { connect } = createConnector(log, broken);
  for (const id of ['embedded', 'gone']) expect(await connect(id)).toEqual(failure('serverGone'));
  broken.name = 'computer';
  expect(await connect('computer')).toEqual(failure('serverGone'));
  broken.name = '';
  const [home, embedded, computer] = servers;
  for (const server of [home, embedded, embedded, computer]) {
    const found = await connect(server === home ? undefined : server.profile.id);
    expect(found).toMatchObject({ ok: true, value: { ...server, sockets: { lines: [] } } });
  }
  const attempts = ['embedded', 'computer'];
  const opened = [endpoint.url, 'embedded', undefined, 'computer', undefined];
  expect(log).toEqual([...attempts, ...opened]);
});

it.each([{ id: 'gone' }, { ...profile, url: 'gone' }])(
  'a server that cannot be opened is not tested: %j',
  async (server) => {
    const verdict = await createConnector([], {}).test(server, 'audio');
    expect(verdict).toEqual({ ok: false, kind: 'unreachable', error: appError('serverGone') });
  },
);
