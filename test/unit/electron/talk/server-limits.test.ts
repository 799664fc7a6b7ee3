import { expect, it } from 'vitest';
import { ServerLimits } from '../../../../electron/talk/server-limits.ts';
import { sessionError } from '../../../../shared/errors/session-reasons.ts';
import type { ServerTraits } from '../../../../shared/settings/endpoint-profile.ts';
import { documentedMemory } from '../../../../shared/vision/picture-memory.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { fakeServerFacts } from '../../../fakes/fake-server-facts.ts';

const talk = { mode: 'video', address: 'wss://a.example/v1/realtime' } as const;

function setUp(watched: Parameters<ServerLimits['limitsFor']>[0] = talk) {
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
  const { session, known } = setUp();
  expect(known()).toEqual({ sessionSeconds: undefined, contextTokens: undefined });
  session(60.4, 'timeout');
  expect(known().sessionSeconds).toBe(60);
  session(900, 'timeout');
  expect(known().sessionSeconds).toBe(900);
  session(296, 'timeout');
  expect(known().sessionSeconds).toBeUndefined();
});

it('a session that outlives a learned limit disproves it', () => {
  const { session, known } = setUp();
  session(60, 'timeout');
  session(65, 'user_stop');
  expect(known().sessionSeconds).toBe(60);
  session(71, 'user_stop');
  expect(known().sessionSeconds).toBeUndefined();
});

it('ends that are early, unrelated or of the demonstration teach no limit', () => {
  const { session, known } = setUp();
  session(19, 'timeout');
  session(100, 'backend_error');
  expect(known().sessionSeconds).toBeUndefined();
  const demonstration = setUp({ mode: 'video', address: undefined });
  demonstration.session(60, 'timeout');
  expect(demonstration.known().sessionSeconds).toBeUndefined();
});

it('modes have separate time limits and share the context size', () => {
  const { session, limits, known } = setUp();
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
  expect(limits.memoryFacts(address)).toEqual(documentedMemory);
  limits.learnMemory(address, { restPerSecond: 14.26, pictureScale: undefined });
  limits.learnMemory(address, { restPerSecond: undefined, pictureScale: 1.5 });
  limits.learnMemory(address, {});
  const next = new ServerLimits(memory, new FakeClock());
  expect(next.memoryFacts(address, { contextLimit: 4096, timeLimit: 60 })).toEqual({
    contextTokens: 4096,
    sessionSeconds: 60,
    restPerSecond: 14.3,
    pictureScale: 1.5,
    everyAppend: false,
  });
  // The last dialect applies until a session reports its own.
  memory.remember(address, { dialect: 'legacy' });
  expect(next.memoryFacts(address).everyAppend).toBe(true);
  expect(next.memoryFacts(address, {}, 'unified').everyAppend).toBe(false);
});
