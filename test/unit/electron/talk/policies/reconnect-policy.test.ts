import { describe, expect, it } from 'vitest';
import {
  afterEnding,
  freshHistory,
  type JudgedEnding,
  type ReconnectHistory,
  ReconnectTracker,
} from '../../../../../electron/talk/policies/reconnect-policy.ts';
import {
  handOverMove,
  QuietTracker,
} from '../../../../../electron/talk/policies/hand-over-policy.ts';
import { endedByConnection } from '../../../../../electron/talk/session/session-closing.ts';
import {
  endedByServer,
  endedByServerError,
  userEnding,
} from '../../../../../electron/talk/session/session-event.ts';
import {
  appError,
  type AppError,
  sessionError,
  wireReason,
} from '../../../../../shared/errors/app-error.ts';
import { SessionLifetime } from '../../../../../electron/talk/policies/session-lifetime.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';

const wasLive: ReconnectHistory = { ...freshHistory, wasLive: true, wasEverLive: true };
const half = () => 0.5;
const lost = { error: sessionError('connection_lost'), by: 'network' } as const;

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

describe('the reconnect policy', () => {
  it.each(Object.entries(table))('answers the reason %s with: %s', (reason, expected) => {
    const error = sessionError(reason);
    expect(wireReason(error)).toBe(reason);
    expect(judge({ error, by: 'server' })).toBe(expected);
    // A hint at the other dialect changes nothing.
    const hinted = appError('otherDialectHint', {}, { cause: error });
    expect(judge({ error: hinted, by: 'server' })).toBe(expected);
  });

  it.each([
    [401, token],
    // A captive portal or a restarting proxy may have answered, so the refusal may be temporary.
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
  ])('answers HTTP %i with: %s', (status, expected) => {
    expect(judge(endedByConnection({ kind: 'refused', status, body: '' }, noError, 0))).toBe(
      expected,
    );
  });

  it.each([
    [1000, 'bye', tellsEnd],
    [1002, '', tellsEnd],
    [1005, '', quick],
    [1007, '', tellsEnd],
    [1012, '', quick],
    [1014, '', quick],
    [4000, '', tellsEnd],
  ])('answers the close code %i “%s” with: %s', (code, reason, expected) => {
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

  it('retries a proxy that is away or forbids, but not a proxy that needs a password', () => {
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

  it('ends after four failures of a server', () => {
    const failed: JudgedEnding = { error: sessionError('backend_error'), by: 'server' };
    const after = (failures: number) => afterEnding(failed, { ...wasLive, failures }, half).do;
    expect([3, 4].map(after)).toEqual(['reconnect', 'stop']);
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

  it('does not apply to a first attempt, except if the server’s worker is busy', () => {
    const busy: JudgedEnding = { error: sessionError('worker_busy'), by: 'server' };
    const after = (tries: number) => afterEnding(busy, { ...freshHistory, tries }, half).do;
    expect([2, 3].map(after)).toEqual(['reconnect', 'stop']);
  });

  it('is replaced with an offer to continue if a continued talk did not become live', () => {
    const then = afterEnding(lost, { ...freshHistory, wasEverLive: true }, half);
    expect(then).toEqual({ do: 'stop', offer: 'continue' });
  });
});

/** Context of a session whose server reported no error. */
const noError = { lastError: undefined, mode: 'audio' } as const;

const unreachable = { error: sessionError('unreachable'), by: 'network' } as const;

function scene() {
  const clock = new FakeClock();
  const reconnecting = new ReconnectTracker({ clock, random: () => 1 });
  const live = (forMs: number) => {
    for (const phase of ['connecting', 'configuring', 'live'] as const) reconnecting.onPhase(phase);
    clock.advance(forMs);
  };
  const triesWithin = (ms: number) => {
    const end = clock.now() + ms;
    let tries = 0;
    for (let then = reconnecting.onSessionEnd(unreachable); then.do === 'reconnect';) {
      clock.advance(then.inMs);
      if (clock.now() >= end) return tries;
      tries += 1;
      reconnecting.onPhase('connecting');
      then = reconnecting.onSessionEnd(unreachable);
    }
    return -1;
  };
  return { clock, reconnecting, live, triesWithin };
}

describe('reconnecting', () => {
  it('retries through half a minute without network, and gives up after four minutes', () => {
    const half = scene();
    half.live(60_000);
    expect(half.triesWithin(30_000)).toBe(6);
    const long = scene();
    long.live(60_000);
    const from = long.clock.now();
    expect(long.triesWithin(600_000)).toBe(-1);
    expect(long.clock.now() - from).toBeGreaterThanOrEqual(240_000);
    expect(long.clock.now() - from).toBeLessThan(251_000);
  });

  it('resets its history after a session was live for half a minute', () => {
    const { reconnecting, live } = scene();
    live(60_000);
    expect(reconnecting.onSessionEnd(lost)).toEqual({ do: 'reconnect', inMs: 500 });
    live(29_999);
    expect(reconnecting.onSessionEnd(lost)).toEqual({ do: 'reconnect', inMs: 1000 });
    live(30_000);
    expect(reconnecting.onSessionEnd(lost)).toEqual({ do: 'reconnect', inMs: 500 });
  });

  it('does not count time in a queue as time without a server', () => {
    const { clock, reconnecting, live } = scene();
    live(60_000);
    reconnecting.onSessionEnd(lost);
    reconnecting.onPhase('connecting');
    reconnecting.onPhase('queued');
    clock.advance(900_000);
    expect(reconnecting.onSessionEnd(lost).do).toBe('reconnect');
  });

  it('reports a failure at once after the user continued', () => {
    const { reconnecting, live } = scene();
    live(60_000);
    expect(reconnecting.onSessionEnd({ error: sessionError('timeout'), by: 'server' })).toEqual({
      do: 'stop',
      offer: 'continue',
    });
    reconnecting.onUserStart();
    reconnecting.onPhase('connecting');
    expect(reconnecting.onSessionEnd(unreachable)).toEqual({ do: 'stop', offer: 'continue' });
  });

  it('starts with the shortest delay after a sleep', () => {
    const { reconnecting, live } = scene();
    live(60_000);
    for (let round = 0; round < 5; round += 1) reconnecting.onSessionEnd(unreachable);
    reconnecting.onSystemWake();
    expect(reconnecting.onSessionEnd(lost)).toEqual({ do: 'reconnect', inMs: 500 });
  });
});

it('two unexplained ends at the same age show a limit, unless an explained end came between', () => {
  const limitAfter = (...ends: readonly (readonly [AppError, seconds: number])[]) => {
    const lifetime = new SessionLifetime();
    let now = 0;
    for (const [error, seconds] of ends) {
      lifetime.onLive(now);
      now += seconds * 1000;
      lifetime.onEnd(error, now);
    }
    return lifetime.limit(undefined);
  };
  const lost = appError('connectionLost');
  expect(limitAfter([lost, 300], [lost, 301])).toBe(300);
  expect(limitAfter([lost, 300], [lost, 303])).toBeUndefined();
  expect(limitAfter([appError('timeLimitReached'), 300.9])).toBe(300);
  // The first connection attempts after a loss often fail at once.
  expect(limitAfter([lost, 300], [lost, 1], [lost, 301])).toBe(300);
  expect(limitAfter([lost, 300], [appError('memoryFull'), 500], [lost, 301])).toBeUndefined();
});

it.each([
  ['timeLimitReached', true, 300_000, true],
  ['timeLimitReached', false, 300_000, false],
  ['timeLimitReached', true, 9_999, false],
  ['memoryFull', true, 10_000, true],
  ['connectionLost', true, 300_000, false],
] as const)(
  'a session that ended with %s (answered: %s, after %i ms) has a successor: %s',
  (code, answered, ms, has) => {
    const lifetime = new SessionLifetime();
    lifetime.onAnswer();
    lifetime.onLive(1000);
    if (answered) lifetime.onAnswer();
    expect(lifetime.onEnd(appError(code), 1000 + ms)).toBe(has);
  },
);

const calm: Parameters<typeof handOverMove>[0] = {
  next: 'none',
  secondsLeft: 60,
  isUsed: true,
  livedSeconds: 60,
  isEarlyRequested: false,
  quietMs: 600,
  answering: false,
  buffering: false,
  waitedMs: 0,
  stale: false,
};
const early = { secondsLeft: 500, isEarlyRequested: true, livedSeconds: 20, quietMs: 1500 };

it.each<[ReturnType<typeof handOverMove>, Partial<typeof calm>]>([
  ['open', {}],
  ['none', { isUsed: false }],
  ['none', { secondsLeft: 61 }],
  ['none', { livedSeconds: 59 }],
  ['none', { quietMs: 599 }],
  ['open', { quietMs: 0, secondsLeft: 10 }],
  ['none', { quietMs: 0, secondsLeft: 10, answering: true }],
  ['open', { quietMs: 0, secondsLeft: 3, answering: true }],
  ['open', early],
  ['none', { ...early, isEarlyRequested: false }],
  ['none', { ...early, livedSeconds: 19 }],
  ['none', { ...early, quietMs: 1499 }],
  ['take', { next: 'live' }],
  ['none', { next: 'live', quietMs: 0 }],
  ['take', { next: 'live', quietMs: 0, buffering: true }],
  ['take', { next: 'live', quietMs: 0, secondsLeft: 10 }],
  ['drop', { next: 'live', stale: true }],
  ['drop', { next: 'live', buffering: true, answering: true }],
  ['take', { next: 'live', quietMs: 0, stale: true, answering: true, secondsLeft: 3 }],
  ['drop', { next: 'coming', answering: true }],
  ['none', { next: 'coming', answering: true, secondsLeft: 3 }],
  ['none', { next: 'coming', waitedMs: 2500 }],
  ['release', { next: 'coming', waitedMs: 2501 }],
  ['none', { next: 'coming', waitedMs: 2501, secondsLeft: 10 }],
  ['none', { next: 'coming', waitedMs: 2501, secondsLeft: 3, answering: true }],
  ['none', { next: 'queued' }],
  ['yield', { next: 'queued', secondsLeft: 10 }],
  ['yield', { next: 'queued', secondsLeft: 3, answering: true }],
])('the next move of a hand-over is %s for %j', (move, view) => {
  expect(handOverMove({ ...calm, ...view })).toBe(move);
});

it('a talk counts as quiet when nobody speaks or waits for an answer', () => {
  const tracker = new QuietTracker();
  const silent = { user: false, parley: false, answering: false };
  const steps: readonly (readonly [now: number, quietMs: number, heard?: keyof typeof silent])[] = [
    [1000, 0],
    [1500, 500],
    [2000, 0, 'user'],
    [9999, 0],
    [10_000, 0],
    [10_500, 500],
    [11_000, 0, 'parley'],
    [11_100, 0],
    [12_000, 0, 'user'],
    [13_000, 0, 'parley'],
    [14_000, 0],
    [14_100, 100],
    [14_200, 0, 'answering'],
  ];
  for (const [now, quietMs, heard] of steps)
    expect(tracker.update(heard === undefined ? silent : { ...silent, [heard]: true }, now)).toBe(
      quietMs,
    );
});
