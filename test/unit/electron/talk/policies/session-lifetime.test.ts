import { expect, it } from 'vitest';
import { SessionLifetime } from '../../../../../electron/talk/policies/session-lifetime.ts';
import { appError, type AppError } from '../../../../../shared/errors/app-error.ts';

it('two unexplained ends at the same age show a limit, unless an explained one came between', () => {
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
  // The first connection attempts after a loss often fail at once.
  expect(limitAfter([lost, 300], [lost, 1], [lost, 301])).toBe(300);
  expect(limitAfter([lost, 300], [appError('memoryFull'), 500], [lost, 301])).toBeUndefined();
});
