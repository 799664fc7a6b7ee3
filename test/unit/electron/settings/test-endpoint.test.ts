import { describe, expect, it } from 'vitest';
import type { SocketEnd } from '../../../../electron/ports/sockets.ts';
import { testEndpoint } from '../../../../electron/settings/test-endpoint.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { textContaining } from '../../../fakes/text-containing.ts';
import { FakeSockets } from '../../../fakes/fake-sockets.ts';
import { plainBase64 } from '../../../fakes/plain-base64.ts';

function trial() {
  const clock = new FakeClock();
  const sockets = new FakeSockets();
  const codec = createClientCodec(plainBase64);
  const verdict = testEndpoint({ sockets, mode: 'audio', clock, codec });
  return { clock, line: sockets.line, verdict, connections: sockets.lines };
}

const frame = (type: string, fields: object = {}): string => JSON.stringify({ type, ...fields });

describe('a server under test', () => {
  it('that says the place in its queue is well, and is left politely with nothing asked', async () => {
    const { clock, line, verdict, connections } = trial();
    clock.advance(80);
    line.open();
    clock.advance(20);
    line.receive(frame('session.queued', { position: 3 }));
    expect(line.closes).toEqual([{ code: 1000, reason: '' }]);
    line.end({ kind: 'closed', code: 1000, reason: '' });
    expect(await verdict).toEqual({ ok: true, connectMs: 80, wordMs: 20, position: 3 });
    expect([line.sent, line.terminated, line.mode, connections.length]).toEqual([
      [],
      false,
      'audio',
      1,
    ]);
  });

  it('that admits at once is well too, also when it never says goodbye', async () => {
    const { clock, line, verdict } = trial();
    line.open();
    line.receive(frame('session.queue_done'));
    clock.advance(1500);
    expect(await verdict).toEqual({ ok: true, connectMs: 0, wordMs: 0 });
    expect(line.terminated).toBe(true);
  });

  it('may say what this version does not know before', async () => {
    const { line, verdict } = trial();
    line.open();
    line.receive(frame('session.hello'));
    expect(line.closes).toEqual([]);
    line.receive(frame('session.queue_done'));
    line.end({ kind: 'closed', code: 1000, reason: '' });
    expect((await verdict).ok).toBe(true);
  });

  it('that does not open a connection is slow', async () => {
    const { clock, line, verdict } = trial();
    clock.advance(8000);
    expect(line.closes).toHaveLength(1);
    line.open();
    line.receive(frame('session.queue_done'));
    line.end({ kind: 'unreachable', problem: 'given up' });
    expect(await verdict).toMatchObject({
      ok: false,
      why: 'slow',
      problem: 'The server has not answered within 8 s; check address and network.',
    });
  });

  it('that opens a connection and says nothing is slow, or something else', async () => {
    const { clock, line, verdict } = trial();
    clock.advance(7000);
    line.open();
    clock.advance(5000);
    clock.advance(1500);
    expect(await verdict).toMatchObject({
      why: 'slow',
      problem: textContaining('said nothing for 5 s'),
    });
  });

  it.each([
    ['hello, I am a chat bot', 'notRealtime', 'no realtime server'],
    [undefined, 'notRealtime', 'no realtime server'],
    [
      frame('error', { error: { code: 'queue_full', message: 'come back later' } }),
      'busy',
      'come back later',
    ],
    [frame('session.closed', { reason: 'server_shutdown' }), 'busy', 'server_shutdown'],
  ])('whose first word is %j is judged by it', async (word, why, part) => {
    const { clock, line, verdict } = trial();
    line.open();
    line.receive(word);
    clock.advance(2000);
    expect(await verdict).toMatchObject({ ok: false, why, problem: textContaining(part) });
  });
});

const refused = (status: number, body = ''): SocketEnd => ({ kind: 'refused', status, body });
const closed = (code: number): SocketEnd => ({ kind: 'closed', code, reason: 'because' });
const fingerprint = 'AA:BB';

describe('a connection that ends before a word was said', () => {
  it.each<[SocketEnd, object]>([
    [
      {
        kind: 'unreachable',
        problem: 'Nothing listens at x.',
        why: { is: 'nothingListens', server: 'x' },
      },
      {
        why: 'unreachable',
        problem: 'Nothing listens at x.',
        because: { is: 'nothingListens', server: 'x' },
      },
    ],
    [
      refused(401, 'bad token'),
      {
        why: 'refused',
        status: 401,
        problem: textContaining(/token.*401.*bad token/),
        said: 'bad token',
      },
    ],
    [refused(403), { why: 'refused', status: 403, problem: textContaining(/403.*audio/) }],
    [refused(404), { why: 'notRealtime', status: 404, problem: textContaining('path (404)') }],
    [refused(429), { why: 'busy', problem: textContaining('too many') }],
    [
      refused(503, '<html>a page</html>'),
      { why: 'busy', problem: 'The server cannot take connections now (503). Try later.' },
    ],
    [refused(418), { why: 'refused', problem: textContaining('(418)') }],
    [refused(200), { why: 'notRealtime', problem: textContaining('A web server answers') }],
    [
      closed(1008),
      {
        why: 'refused',
        problem: textContaining('because'),
        because: 'testForbids',
        said: 'because',
      },
    ],
    [closed(1013), { why: 'busy', because: 'testFull' }],
    [closed(1006), { why: 'unreachable', because: 'testCut' }],
    [closed(1000), { why: 'notRealtime', because: { is: 'testClosed', code: 1000 } }],
    [
      {
        kind: 'unreachable',
        problem: 'x',
        distrusted: { fingerprint, why: 'is self-signed', fault: 'certificateOwn', changed: false },
      },
      {
        why: 'certificate',
        fingerprint,
        because: { is: 'certificateOwn', fingerprint },
        problem: textContaining(/is self-signed.*AA:BB.*trust the certificate/),
      },
    ],
    [
      {
        kind: 'unreachable',
        problem: 'x',
        distrusted: {
          fingerprint,
          why: 'is another one',
          fault: 'certificateChanged',
          changed: true,
        },
      },
      {
        why: 'certificate',
        fingerprint,
        because: { is: 'certificateChanged', fingerprint },
        problem: textContaining('somebody stands between'),
      },
    ],
  ])('%j says why', async (end, verdict) => {
    const { line, verdict: found } = trial();
    if (end.kind === 'closed') line.open();
    line.end(end);
    expect(await found).toMatchObject({ ok: false, ...verdict });
  });
});
