import { describe, expect, it } from 'vitest';
import {
  LimitWarnings,
  type LimitWarningsOptions,
} from '../../../../../electron/talk/policies/limit-warnings.ts';
import type { TalkLimits, TalkWarning } from '../../../../../shared/talk/talk-view.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { randomRuns, seeded } from '../../../../fakes/seeded.ts';
import { ServerLimits } from '../../../../../electron/talk/server-limits.ts';
import { sessionError } from '../../../../../shared/errors/app-error.ts';
import type { ServerTraits } from '../../../../../shared/settings/connection-settings.ts';
import { documentedContext } from '../../../../../shared/vision/context-facts.ts';
import { fakeServerFacts } from '../../../../fakes/fake-server-facts.ts';

/** LimitWarnings with a record of what they emitted, and when. */
function setUp(options: Partial<LimitWarningsOptions> = {}) {
  const clock = new FakeClock();
  const warned: string[] = [];
  const emitted: { readonly at: number; readonly left: TalkLimits }[] = [];
  const limits = new LimitWarnings({
    clock,
    mode: 'audio',
    onChange: (left) => {
      emitted.push({ at: clock.now(), left });
    },
    onWarning: ({ limit, threshold }: TalkWarning) => {
      warned.push(`${limit} ${threshold} at ${Math.round(clock.now() / 1000)}`);
    },
    ...options,
  });
  const enter = (...phases: readonly Parameters<LimitWarnings['onPhase']>[0][]) => {
    for (const phase of phases) limits.onPhase(phase);
  };
  const steps = (count: number, tokens: (step: number) => number) => {
    for (let step = 0; step < count; step += 1) {
      clock.advance(1000);
      limits.onUsage(tokens(step));
    }
  };
  return { clock, limits, warned, emitted, enter, steps };
}

describe('the remaining time', () => {
  it('warns once at 60 and once at 15 s, counted from connecting', () => {
    const { clock, enter, warned } = setUp();
    enter('connecting', 'configuring', 'live');
    clock.advance(700_000);
    expect(warned).toEqual(['time 60 at 540', 'time 15 at 585']);
  });

  it.each([
    ['video', 240],
    ['audio', 540],
  ] as const)('depends on the mode: %s', (mode, at) => {
    const { clock, enter, warned } = setUp({ mode });
    enter('connecting', 'live');
    clock.advance(600_000);
    expect(warned[0]).toBe(`time 60 at ${at}`);
  });

  it('counts from connecting, queue included; if the session outlives that limit, it counts from the admission and warns again', () => {
    const { clock, enter, warned, limits, emitted } = setUp();
    enter('connecting', 'queued');
    clock.advance(100_000);
    enter('configuring', 'live');
    expect(limits.headroom().seconds).toBe(500);
    clock.advance(502_000);
    expect(limits.headroom().seconds).toBe(0);
    clock.advance(3_000);
    expect(emitted.at(-1)).toMatchObject({ at: 605_000, left: { seconds: 95 } });
    clock.advance(200_000);
    expect(warned).toEqual([
      'time 60 at 540',
      'time 15 at 585',
      'time 60 at 640',
      'time 15 at 685',
    ]);
    expect(limits.headroom().seconds).toBeUndefined();
  });

  it('restarts with a new connection', () => {
    const { clock, enter, limits } = setUp();
    enter('connecting', 'configuring');
    clock.advance(20_000);
    enter('connecting');
    expect(limits.headroom().seconds).toBeUndefined();
    clock.advance(5_000);
    enter('configuring');
    expect(limits.headroom().seconds).toBe(595);
  });

  it('is unknown before the admission', () => {
    const { clock, enter, limits } = setUp();
    enter('connecting', 'queued');
    clock.advance(50_000);
    expect(limits.headroom().seconds).toBeUndefined();
    enter('configuring');
    expect(limits.headroom().seconds).toBe(550);
  });

  it('warns only about the nearer threshold if both are passed at once', () => {
    const { clock, enter, warned } = setUp();
    enter('connecting', 'queued');
    clock.advance(590_000);
    enter('configuring', 'live');
    clock.advance(9_000);
    expect(warned).toEqual(['time 15 at 590']);
  });

  it('includes a sleep that the clock did not count', () => {
    const { clock, enter, limits, warned } = setUp();
    enter('connecting', 'live');
    clock.advance(10_000);
    limits.onSleep(540_000);
    expect(limits.headroom().seconds).toBe(50);
    clock.advance(36_000);
    expect(warned).toEqual(['time 60 at 10', 'time 15 at 45']);
  });

  it('emits nothing after the session has started to close', () => {
    const { clock, enter, warned, emitted } = setUp();
    enter('connecting', 'live', 'closing');
    const before = emitted.length;
    clock.advance(700_000);
    expect(warned).toEqual([]);
    expect(emitted).toHaveLength(before);
  });

  it('is emitted once, because pages count down on their own clock', () => {
    const { clock, enter, emitted } = setUp();
    enter('connecting', 'configuring', 'live');
    const before = emitted.length;
    clock.advance(590_000);
    expect(emitted).toHaveLength(before);
    expect(emitted.at(-1)).toEqual({
      at: 0,
      left: { seconds: 600, tokens: undefined, tokenSeconds: undefined, pruning: false },
    });
  });
});

describe('the remaining context', () => {
  it('is in tokens at once, and in seconds at the documented rate until the server’s own rate is known', () => {
    const { enter, steps, limits } = setUp();
    enter('connecting', 'live');
    steps(2, (step) => 200 + 20 * step);
    expect(limits.headroom()).toMatchObject({ tokens: 8192 - 220 });
    expect(limits.headroom().tokenSeconds).toBeCloseTo(((8192 - 220) / 8192) * 480, 5);
    steps(8, (step) => 240 + 20 * step);
    expect(limits.headroom().tokenSeconds).toBeCloseTo((8192 - 380) / 20, 5);
  });

  it.each([
    ['three counts', [1000, 2500, 4500], false],
    ['less than three seconds', [1000, 1900, 2800, 3900], false],
    ['four counts in three seconds', [1000, 2000, 3000, 4000], true],
  ] as const)('is measured only after more than %s', (_what, times, isOwn) => {
    const { clock, enter, limits } = setUp();
    enter('connecting', 'live');
    for (const at of times) {
      clock.advance(at - clock.now());
      limits.onUsage(at / 50);
    }
    const seconds = limits.headroom().tokenSeconds ?? 0;
    const rate = (8192 - (times.at(-1) ?? 0) / 50) / seconds;
    expect(rate).toBeCloseTo(isOwn ? 20 : 8192 / 480, 3);
  });

  it('warns once per threshold if the context will be full before the time limit', () => {
    const { enter, steps, warned } = setUp();
    enter('connecting', 'live');
    steps(81, (step) => 100 * (step + 1));
    expect(warned).toEqual(['context 60 at 22', 'context 15 at 67']);
  });

  it('shares its thresholds with the time: each brings one warning, for the nearer limit', () => {
    const { enter, steps, warned } = setUp({ sessionSeconds: 80 });
    enter('connecting', 'live');
    steps(79, (step) => 95 * (step + 1));
    expect(warned).toEqual(['time 60 at 20', 'time 15 at 65']);
  });

  it('is in seconds at the mode’s documented rate, until the metrics show another rate', () => {
    const { enter, limits, steps } = setUp({ mode: 'video' });
    enter('connecting', 'live');
    expect(limits.headroom().tokenSeconds).toBeUndefined();
    limits.onUsage(910);
    expect(limits.headroom().tokenSeconds).toBeCloseTo(80, 1);
    steps(12, (step) => 920 + step * 10);
    expect(limits.headroom().tokenSeconds).toBeGreaterThan(600);
  });

  it('ignores an outlier in the rate, and a single drop', () => {
    const { enter, steps, limits } = setUp();
    enter('connecting', 'live');
    steps(12, (step) => (step === 7 ? 12 : 100 + 20 * step + (step === 4 ? 15 : 0)));
    expect(limits.headroom().pruning).toBe(false);
    expect(limits.headroom().tokenSeconds).toBeCloseTo((8192 - 320) / 20, 5);
  });

  it('counts repeats within a step once', () => {
    const { clock, enter, steps, limits } = setUp();
    enter('connecting', 'live');
    steps(6, (step) => 1000 + 20 * step);
    for (let event = 0; event < 4; event += 1) {
      clock.advance(40);
      limits.onUsage(1090);
    }
    expect(limits.headroom()).toMatchObject({ tokens: 8192 - 1100, pruning: false });
    clock.advance(1000);
    limits.onUsage(1095);
    expect(limits.headroom()).toMatchObject({ tokens: 8192 - 1095, pruning: true });
  });

  it('gives no remaining seconds if the server prunes', () => {
    const { enter, steps, limits, warned } = setUp();
    enter('connecting', 'live');
    steps(30, (step) => 4000 + 30 * step);
    expect(limits.headroom().tokenSeconds).toBeDefined();
    steps(60, (step) => 3000 + 30 * step);
    expect(limits.headroom()).toEqual({
      seconds: 510,
      tokens: 8192 - 4770,
      tokenSeconds: undefined,
      pruning: true,
    });
    steps(60, (step) => 4800 + 40 * step);
    expect(warned).toEqual([]);
  });

  it('does not count down while nothing is sent', () => {
    const { clock, enter, steps, limits, warned } = setUp();
    enter('connecting', 'live');
    steps(10, (step) => 1000 + 90 * step);
    const before = limits.headroom().tokenSeconds ?? 0;
    clock.advance(300_000);
    expect(limits.headroom().tokenSeconds).toBeCloseTo(before - 5, 5);
    expect(warned).toEqual([]);
  });

  it('is unknown if the server reports none or invalid values', () => {
    const { enter, steps, limits } = setUp();
    enter('connecting', 'live');
    for (const tokens of [undefined, 0, -5, Number.NaN, Infinity]) limits.onUsage(tokens);
    steps(9, () => 0);
    expect(limits.headroom()).toMatchObject({ tokens: undefined, tokenSeconds: undefined });
  });
});

describe('a cumulative token count', () => {
  it('brings the same warnings, and a count beyond the context’s size shows that the server prunes', () => {
    const { clock, enter, limits, warned } = setUp({ contextTokens: 2000 });
    enter('connecting', 'live');
    for (let used = 100; used <= 1990; used += 10) {
      clock.advance(1000);
      limits.onUsage(used, true);
    }
    expect(warned).toEqual(['context 60 at 131', 'context 15 at 176']);
    expect(limits.headroom()).toMatchObject({ tokens: 10, pruning: false });
    limits.onUsage(2001, true);
    expect(limits.headroom()).toMatchObject({ tokenSeconds: undefined, pruning: true });
  });

  it('is not assumed if the server reports the context itself', () => {
    const { enter, limits } = setUp({ contextTokens: 1000 });
    enter('connecting', 'live');
    limits.onUsage(1001);
    expect(limits.headroom().pruning).toBe(false);
  });
});

describe('limit warnings of a random session', () => {
  it('come at the times given by wait and limit', () => {
    for (let seed = 0; seed < randomRuns(200); seed += 1) {
      const random = seeded(seed);
      const limit = 60 + Math.floor(random() * 240);
      const waited = Math.floor(random() * limit);
      const scene = setUp({ sessionSeconds: limit });
      scene.enter('connecting', 'queued');
      scene.clock.advance(waited * 1000);
      scene.enter('configuring', 'live');
      for (let step = 0; step < 80; step += 1) {
        scene.clock.advance(Math.floor(random() * 16_000));
        if (random() < 0.3) scene.limits.onUsage(500);
      }
      scene.clock.advance(1_000_000);
      expect(scene.warned, `seed ${seed}`).toEqual([
        ...warningsOf(limit, waited),
        ...warningsOf(waited + limit, limit + 5),
      ]);
    }
  });
});

/** The expected warnings if a session ends at `end` seconds and this is known from `from` seconds on. */
function warningsOf(end: number, from: number): readonly string[] {
  if (from >= end) return [];
  const moments = [60, 15].filter((threshold) => end - threshold > from);
  const late = [15, 60].find((threshold) => end - threshold <= from);
  const expected = moments.map((threshold) => `time ${threshold} at ${end - threshold}`);
  return late === undefined ? expected : [`time ${late} at ${from}`, ...expected];
}

const talk = { mode: 'video', address: 'wss://a.example/v1/realtime' } as const;

function setUpServer(watched: Parameters<ServerLimits['limitsFor']>[0] = talk) {
  const memory = fakeServerFacts();
  const clock = new FakeClock();
  const limits = new ServerLimits(memory, clock);
  return {
    limits,
    /** Limits as a later run of Parley knows them. */
    known: (traits?: ServerTraits) => new ServerLimits(memory, clock).limitsFor(watched, traits),
    session: (seconds: number, reason: string, contextTokens?: number) => {
      limits.onEvent({ event: 'state', state: 'live' }, watched);
      if (contextTokens !== undefined) {
        const metrics = { contextTokens, values: {} };
        limits.onEvent({ event: 'metrics', metrics }, watched);
      }
      clock.advance(seconds * 1000);
      const error = sessionError(reason);
      limits.onEvent({ event: 'closed', error, by: 'server', orderly: true }, watched);
    },
  };
}

it('a limit that differs from the documents is known in the next run', () => {
  const { session, known } = setUpServer();
  expect(known()).toEqual({ sessionSeconds: undefined, contextTokens: undefined });
  session(60.4, 'timeout');
  expect(known().sessionSeconds).toBe(60);
  session(900, 'timeout');
  expect(known().sessionSeconds).toBe(900);
  session(296, 'timeout');
  expect(known().sessionSeconds).toBeUndefined();
});

it('the user’s settings for a server take precedence', () => {
  const { session, known } = setUpServer();
  session(60, 'timeout');
  expect(known({ timeLimit: 45, contextLimit: 4096 })).toEqual({
    sessionSeconds: 45,
    contextTokens: 4096,
  });
});

it('a session that outlives a learned limit disproves it', () => {
  const { session, known } = setUpServer();
  session(60, 'timeout');
  session(65, 'user_stop');
  expect(known().sessionSeconds).toBe(60);
  session(71, 'user_stop');
  expect(known().sessionSeconds).toBeUndefined();
});

it('ends that are early, unrelated or of the demonstration teach no limit', () => {
  const { session, known } = setUpServer();
  session(19, 'timeout');
  session(100, 'backend_error');
  expect(known().sessionSeconds).toBeUndefined();
  const demonstration = setUpServer({ mode: 'video', address: undefined });
  demonstration.session(60, 'timeout');
  expect(demonstration.known().sessionSeconds).toBeUndefined();
});

it('modes have separate time limits and share the context size', () => {
  const { session, limits, known } = setUpServer();
  session(60, 'timeout');
  session(40, 'context_full', 4070);
  expect(limits.limitsFor({ ...talk, mode: 'audio' })).toEqual({
    sessionSeconds: undefined,
    contextTokens: 4096,
  });
  session(90, 'context_full', 8180);
  expect(known().contextTokens).toBeUndefined();
});

it('memory facts combine documents, learned values and the user’s settings', () => {
  const memory = fakeServerFacts();
  const limits = new ServerLimits(memory, new FakeClock());
  const { address } = talk;
  expect(limits.contextFacts(address)).toEqual(documentedContext);
  limits.learnCosts(address, { otherTokensPerSecond: 14.26, pictureScale: undefined });
  limits.learnCosts(address, { otherTokensPerSecond: undefined, pictureScale: 1.5 });
  limits.learnCosts(address, {});
  const next = new ServerLimits(memory, new FakeClock());
  expect(next.contextFacts(address, { contextLimit: 4096, timeLimit: 60 })).toEqual({
    contextTokens: 4096,
    sessionSeconds: 60,
    otherTokensPerSecond: 14.3,
    pictureScale: 1.5,
    everyAppend: false,
  });
  // The last dialect applies until a session reports its own.
  memory.remember(address, { dialect: 'legacy' });
  expect(next.contextFacts(address).everyAppend).toBe(true);
  expect(next.contextFacts(address, {}, 'unified').everyAppend).toBe(false);
});
