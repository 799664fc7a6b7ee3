import { describe, expect, it } from 'vitest';
import {
  AnswerWatch,
  forcedStepsOf,
  onlyListensAfter,
} from '../../../../electron/talk/answer-watch.ts';

const { spokenSeconds, quietSeconds, steps } = onlyListensAfter;

/** Seconds that went to a server, each a step in which it listened. */
function pass(watch: AnswerWatch, seconds: number, isVoice: boolean): boolean {
  let isDue = false;
  for (let second = 0; second < seconds; second += 1) {
    watch.sent(1, isVoice);
    isDue = listens(watch);
  }
  return isDue;
}

/** Whether it is said now that the server only listens. */
const listens = (watch: AnswerWatch): boolean =>
  watch.onSessionEvent({ event: 'listen', yields: false }, true) !== undefined;

const sessionBegan = { event: 'state', state: 'live' } as const;

describe('a server that only listens', () => {
  it('is noticed after enough speech and enough quiet to answer in, over any number of pauses', () => {
    const watch = new AnswerWatch(0);
    expect(pass(watch, spokenSeconds - 2, true)).toBe(false);
    expect(pass(watch, quietSeconds - 1, false)).toBe(false);
    expect(pass(watch, 2, true)).toBe(false);
    expect(pass(watch, 1, false)).toBe(true);
    expect(watch.unanswered).toEqual({ spokenSeconds, steps: spokenSeconds + quietSeconds });
  });

  it.each([
    ['nobody has spoken', 0, 60],
    ['little was said', spokenSeconds - 1, 60],
    ['somebody speaks without a pause', 60, quietSeconds - 1],
  ])('is not, where %s', (_, voice, quiet) => {
    const watch = new AnswerWatch(0);
    pass(watch, voice, true);
    expect(pass(watch, quiet, false)).toBe(false);
  });

  it('is not, where it was quiet before the first word only', () => {
    const watch = new AnswerWatch(0);
    pass(watch, 60, false);
    expect(pass(watch, spokenSeconds, true)).toBe(false);
  });

  it('is not, where its steps do not come', () => {
    const watch = new AnswerWatch(0);
    watch.sent(spokenSeconds, true);
    watch.sent(60, false);
    for (let step = 1; step < steps; step += 1) expect(listens(watch)).toBe(false);
    expect(listens(watch)).toBe(true);
  });

  it('begins anew with an answer, and with another session', () => {
    for (const again of [{ event: 'text', turn: 1, text: 'Yes.' } as const, sessionBegan]) {
      const watch = new AnswerWatch(0);
      pass(watch, spokenSeconds, true);
      watch.onSessionEvent(again, true);
      expect(watch.unanswered).toEqual({ spokenSeconds: 0, steps: 0 });
      expect(pass(watch, 60, false)).toBe(false);
    }
  });

  it('is said once', () => {
    const watch = new AnswerWatch(0);
    pass(watch, spokenSeconds, true);
    expect(pass(watch, quietSeconds, false)).toBe(true);
    watch.onSessionEvent(sessionBegan, true);
    pass(watch, spokenSeconds, true);
    expect(pass(watch, 60, false)).toBe(false);
  });

  it('is said later, where nothing may be said at the moment', () => {
    const watch = new AnswerWatch(0);
    const listen = { event: 'listen', yields: false } as const;
    watch.onSessionEvent({ event: 'session', id: 'one', dialect: 'legacy' }, true);
    pass(watch, spokenSeconds, true);
    watch.sent(quietSeconds, false);
    for (let step = 0; step < steps; step += 1)
      expect(watch.onSessionEvent(listen, false)).toBeUndefined();
    expect(watch.onSessionEvent(listen, true)).toMatchObject({
      dialect: 'legacy',
      spokenSeconds,
    });
  });

  it('may listen for as many steps as it was told to, in each session', () => {
    const watch = new AnswerWatch(30);
    pass(watch, 20, true);
    expect(pass(watch, 10, false)).toBe(false);
    expect(watch.unanswered).toEqual({ spokenSeconds: 0, steps: 0 });
    pass(watch, spokenSeconds, true);
    expect(pass(watch, quietSeconds, false)).toBe(true);
    watch.onSessionEvent(sessionBegan, true);
    pass(watch, spokenSeconds, true);
    expect(pass(watch, quietSeconds, false)).toBe(false);
  });
});

it('the steps that are listened to at first stand in the settings, or beside them', () => {
  expect(forcedStepsOf(undefined)).toBe(0);
  expect(forcedStepsOf({ forceListenCount: 3 })).toBe(3);
  expect(forcedStepsOf({ other: { force_listen_count: 5 } })).toBe(5);
  expect(forcedStepsOf({ other: { force_listen_count: 'many' } })).toBe(0);
});
