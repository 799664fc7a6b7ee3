import { describe, expect, it } from 'vitest';
import {
  afterEnding,
  freshHistory,
  type JudgedEnding,
  type ReconnectHistory,
} from '../../../../../electron/talk/policies/reconnect-policy.ts';
import { endedByConnection } from '../../../../../electron/talk/session/session-closing.ts';
import {
  endedByServer,
  endedByServerError,
  userEnding,
} from '../../../../../electron/talk/session/session-event.ts';
import { appError, type AppError } from '../../../../../shared/errors/app-error.ts';
import { sessionError, wireReason } from '../../../../../shared/errors/session-reasons.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { admitted, closed, error, queued } from '../session/server-events.ts';
import { SessionHarness } from '../session/session-harness.ts';

const wasLive: ReconnectHistory = { ...freshHistory, wasLive: true, wasEverLive: true };
const half = () => 0.5;

/** Outcome after a live session, and for a first attempt. */
function judge(ending: JudgedEnding): string {
  return [wasLive, freshHistory]
    .map((history) => {
      const then = afterEnding(ending, history, half);
      return then.do === 'reconnect' ? `in ${then.inMs}` : then.offer;
    })
    .join(', ');
}

const tellsEnd = 'continue, retry';
const quick = 'in 375, retry';
const endpoint = 'checkEndpoint, checkEndpoint';
const token = 'checkToken, checkToken';

/** Outcomes for every reason of an end. */
const table: Readonly<Record<string, string>> = {
  connection_lost: quick,
  closed: quick,
  server_error: quick,
  unreadable: tellsEnd,
  too_large: tellsEnd,
  policy: token,
  silent: quick,
  not_created: quick,
  no_chat_in_legacy: endpoint,
  stalled: quick,
  timeout: tellsEnd,
  context_full: tellsEnd,
  backend_error: quick,
  server_shutdown: quick,
  error: quick,
  user_stop: tellsEnd,
  stopped: tellsEnd,
  client_closed: tellsEnd,
  queue_full: 'in 7500, retry',
  worker_busy: 'in 375, in 375',
  service_unavailable: quick,
  worker_connect_failed: quick,
  session_failed: quick,
  unreachable: quick,
  invalid_voice: endpoint,
  moon_phase: tellsEnd,
};

describe('whether a session is retried', () => {
  it.each(Object.entries(table))('the reason %s leads to: %s', (reason, expected) => {
    const error = sessionError(reason);
    expect(wireReason(error)).toBe(reason);
    expect(judge({ error, by: 'server' })).toBe(expected);
    // A hint at the other dialect changes nothing.
    const hinted = appError('otherDialectHint', {}, { cause: error });
    expect(judge({ error: hinted, by: 'server' })).toBe(expected);
  });

  it.each([
    [401, token],
    // A captive portal or a restarting proxy may have answered, so it may pass.
    [403, 'in 375, checkToken'],
    [404, 'in 375, checkEndpoint'],
    [302, 'in 375, checkEndpoint'],
    [407, token],
    [400, endpoint],
    [408, quick],
    [425, quick],
    [429, 'in 45000, retry'],
    [500, quick],
    [501, endpoint],
    [502, quick],
    [503, quick],
    [504, quick],
    [505, endpoint],
  ])('HTTP %i leads to: %s', (status, expected) => {
    expect(judge(endedByConnection({ kind: 'refused', status, body: '' }, noError, 0))).toBe(
      expected,
    );
  });

  it.each([
    [1000, '', quick],
    [1000, 'bye', tellsEnd],
    [1001, '', quick],
    [1002, '', tellsEnd],
    [1003, '', tellsEnd],
    [1005, '', quick],
    [1006, '', quick],
    [1007, '', tellsEnd],
    [1008, '', token],
    [1009, '', tellsEnd],
    [1011, '', quick],
    [1012, '', quick],
    [1013, 'queue full', 'in 7500, retry'],
    [1013, 'worker busy', 'in 375, in 375'],
    [1013, '', quick],
    [1014, '', quick],
    [4000, '', tellsEnd],
  ])('the close code %i “%s” leads to: %s', (code, reason, expected) => {
    expect(judge(endedByConnection({ kind: 'closed', code, reason }, noError, 0))).toBe(expected);
  });

  it('retries a portal’s certificate, but not a malformed address, after a live talk', () => {
    const portal = endedByConnection(
      {
        kind: 'unreachable',
        error: appError('certificateName', { fingerprint: 'AB' }),
        permanent: true,
      },
      noError,
      0,
    );
    expect(judge(portal)).toBe('in 375, checkEndpoint');
    const later = { ...wasLive, awayMs: 240_000 };
    expect(afterEnding(portal, later, half)).toEqual({ do: 'stop', offer: 'checkEndpoint' });
    const untrusted = endedByConnection(
      { kind: 'unreachable', error: appError('badAddress'), permanent: true },
      noError,
      0,
    );
    expect(judge(untrusted)).toBe(endpoint);
    expect(
      judge(endedByConnection({ kind: 'unreachable', error: appError('badAddress') }, noError, 0)),
    ).toBe(quick);
  });

  it('retries a proxy that is away or forbids, but not one that needs a password', () => {
    const facts = { proxy: 'p:1', server: 's:1', status: 403 };
    const ended = (error: AppError, lasting: boolean) =>
      judge(
        endedByConnection(
          { kind: 'unreachable', error, ...(lasting && { permanent: true as const }) },
          noError,
          0,
        ),
      );
    expect(ended(appError('proxyAway', { proxy: 'p:1' }), false)).toBe(quick);
    expect(ended(appError('proxyForbids', facts), true)).toBe('in 375, checkEndpoint');
    expect(ended(appError('proxyWantsLogin', { proxy: 'p:1' }), true)).toBe(endpoint);
    expect(ended(appError('proxyRefusesLogin', { proxy: 'p:1' }), true)).toBe(endpoint);
  });

  it('does not retry after the user ended the session, regardless of the reason', () => {
    expect(judge(userEnding('audio'))).toBe('none, none');
    expect(judge(userEnding('chat'))).toBe('none, none');
    expect(judge({ error: sessionError('connection_lost'), by: 'client' })).toBe('none, none');
    expect(judge({ error: sessionError('no_chat_in_legacy'), by: 'client' })).toBe(endpoint);
  });

  it('does not retry refused settings or an unknown reason', () => {
    expect(judge(endedByServerError('invalid_payload', ''))).toBe(endpoint);
    expect(judge(endedByServerError('unknown_event', ''))).toBe(endpoint);
    expect(judge(endedByServer('moon_phase'))).toBe(tellsEnd);
    expect(judge({ error: sessionError('constructor'), by: 'server' })).toBe(tellsEnd);
  });
});

describe('the delay of a retry', () => {
  const lost: JudgedEnding = { error: sessionError('connection_lost'), by: 'network' };
  const waitAfter = (tries: number, random: () => number) => {
    const then = afterEnding(lost, { ...wasLive, tries }, random);
    return then.do === 'reconnect' ? then.inMs : -1;
  };

  it('is at most half a second at first, then doubles, up to ten seconds', () => {
    const delays = [0, 1, 2, 3, 4, 5, 6, 30].map((tries) => waitAfter(tries, () => 1));
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
  });

  it('is random within its upper half', () => {
    const random = seeded(5);
    for (let tries = 0; tries < 12; tries += 1) {
      const maxDelay = Math.min(500 * 2 ** tries, 10_000);
      const waits = Array.from({ length: 200 }, () => waitAfter(tries, random));
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(maxDelay / 2);
      expect(Math.max(...waits)).toBeLessThanOrEqual(maxDelay);
      expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(maxDelay * 0.4);
    }
  });

  it('ends after four minutes without a server, with an offer to continue', () => {
    const after = (awayMs: number) => afterEnding(lost, { ...wasLive, awayMs }, half).do;
    expect(after(239_999)).toBe('reconnect');
    expect(after(240_000)).toBe('stop');
    expect(afterEnding(lost, { ...wasLive, tries: 60 }, half)).toEqual({
      do: 'stop',
      offer: 'continue',
    });
  });

  it('ends after four failures of a server', () => {
    const failed: JudgedEnding = { error: sessionError('backend_error'), by: 'server' };
    const after = (failures: number) => afterEnding(failed, { ...wasLive, failures }, half).do;
    expect([0, 1, 2, 3, 4].map(after)).toEqual([
      'reconnect',
      'reconnect',
      'reconnect',
      'reconnect',
      'stop',
    ]);
  });

  it('does not apply to a first attempt, except with a busy worker', () => {
    const busy: JudgedEnding = { error: sessionError('worker_busy'), by: 'server' };
    const after = (tries: number) => afterEnding(busy, { ...freshHistory, tries }, half).do;
    expect([0, 1, 2, 3].map(after)).toEqual(['reconnect', 'reconnect', 'reconnect', 'stop']);
  });

  it('leads to an offer to continue if a continuation never became live', () => {
    const then = afterEnding(lost, { ...freshHistory, wasEverLive: true }, half);
    expect(then).toEqual({ do: 'stop', offer: 'continue' });
  });
});

/** Context of a session whose server reported no error. */
const noError = { lastError: undefined, mode: 'audio' } as const;

/** Stages of a session at which its connection breaks. */
const phases: readonly (readonly [string, () => SessionHarness])[] = [
  ['connecting', () => new SessionHarness()],
  ['connected, before the first word', () => new SessionHarness().open()],
  ['queued', () => new SessionHarness().open().say(queued(1))],
  ['configuring', () => new SessionHarness().open().say(admitted)],
  ['live', () => new SessionHarness().live()],
];

function judgeHarness(harness: SessionHarness): readonly string[] {
  const { closed } = harness;
  if (closed === undefined) throw new Error('The session has not ended.');
  return [wasLive, freshHistory].map((history) => {
    const then = afterEnding(closed, history, () => 0);
    return then.do === 'reconnect' ? 'reconnect' : then.offer;
  });
}

function cut(harness: SessionHarness): SessionHarness {
  if (harness.socket.state === 'connecting')
    harness.socket.end({ kind: 'unreachable', error: appError('badAddress') });
  else harness.close(1006);
  return harness;
}

describe('the loss of the network', () => {
  it.each(phases)(
    'while %s leads to a reconnect if the talk was live before, else to an error',
    (_, enter) => {
      expect(judgeHarness(cut(enter()))).toEqual(['reconnect', 'retry']);
    },
  );

  it.each(phases)('while %s is ignored after the user ended the session', (_, enter) => {
    const harness = enter();
    harness.session.end();
    if (harness.closed === undefined) cut(harness);
    expect(judgeHarness(harness)).toEqual(['none', 'none']);
  });

  it('while closing after the time limit leads to no reconnect', () => {
    expect(judgeHarness(cut(new SessionHarness().live().say(closed('timeout'))))).toEqual([
      'continue',
      'retry',
    ]);
  });

  it('without any event is found by a timeout', () => {
    expect(judgeHarness(new SessionHarness().wait(15_000))).toEqual(['reconnect', 'retry']);
    expect(judgeHarness(new SessionHarness().open().wait(21_000))).toEqual(['reconnect', 'retry']);
    const stalled = new SessionHarness().live().speak(1).wait(61_000);
    expect(stalled.closed?.error.code).toBe('serverStalled');
    expect(judgeHarness(stalled)).toEqual(['reconnect', 'retry']);
  });

  it('is distinguished from a server that refuses the settings', () => {
    const refused = new SessionHarness({ dialect: 'unified' })
      .open()
      .say(admitted, error('invalid_payload'));
    expect(judgeHarness(refused.wait(2_000))).toEqual(['checkEndpoint', 'checkEndpoint']);
  });
});
