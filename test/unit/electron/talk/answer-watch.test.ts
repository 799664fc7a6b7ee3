import { describe, expect, it } from 'vitest';
import {
  AnswerWatch,
  forcedListenSteps,
  onlyListensAfter,
} from '../../../../electron/talk/answer-watch.ts';

const { spokenSeconds, quietSeconds, steps } = onlyListensAfter;

/** Sends seconds of sound, each a step in which the model listened. */
function pass(watch: AnswerWatch, seconds: number, isVoice: boolean): boolean {
  let isDue = false;
  for (let second = 0; second < seconds; second += 1) {
    watch.onSent(1, isVoice);
    isDue = listens(watch);
  }
  return isDue;
}

/** Whether the watch reports now. */
const listens = (watch: AnswerWatch): boolean =>
  watch.onSessionEvent({ event: 'listen', yields: false }, true) !== undefined;

const sessionBegan = { event: 'state', state: 'live' } as const;

describe('a server that only listens', () => {
  it('is reported after enough speech and enough quiet to answer in, over any number of pauses', () => {
    const watch = new AnswerWatch(0);
    expect(pass(watch, spokenSeconds - 2, true)).toBe(false);
    expect(pass(watch, quietSeconds - 1, false)).toBe(false);
    expect(pass(watch, 2, true)).toBe(false);
    expect(pass(watch, 1, false)).toBe(true);
    expect(watch.unanswered).toEqual({ spokenSeconds, steps: spokenSeconds + quietSeconds });
  });

  it.each([
    ['the user has not spoken', 0, 60],
    ['the user said little', spokenSeconds - 1, 60],
    ['the user speaks without a pause', 60, quietSeconds - 1],
  ])('is not reported if %s', (_, voice, quiet) => {
    const watch = new AnswerWatch(0);
    pass(watch, voice, true);
    expect(pass(watch, quiet, false)).toBe(false);
  });

  it('is not reported if it was quiet only before the first word', () => {
    const watch = new AnswerWatch(0);
    pass(watch, 60, false);
    expect(pass(watch, spokenSeconds, true)).toBe(false);
  });

  it('is not reported while no steps arrive', () => {
    const watch = new AnswerWatch(0);
    watch.onSent(spokenSeconds, true);
    watch.onSent(60, false);
    for (let step = 1; step < steps; step += 1) expect(listens(watch)).toBe(false);
    expect(listens(watch)).toBe(true);
  });

  it('counts from zero after an answer and in another session', () => {
    for (const again of [{ event: 'text', turn: 1, text: 'Yes.' } as const, sessionBegan]) {
      const watch = new AnswerWatch(0);
      pass(watch, spokenSeconds, true);
      watch.onSessionEvent(again, true);
      expect(watch.unanswered).toEqual({ spokenSeconds: 0, steps: 0 });
      expect(pass(watch, 60, false)).toBe(false);
    }
  });

  it('is reported once', () => {
    const watch = new AnswerWatch(0);
    pass(watch, spokenSeconds, true);
    expect(pass(watch, quietSeconds, false)).toBe(true);
    watch.onSessionEvent(sessionBegan, true);
    pass(watch, spokenSeconds, true);
    expect(pass(watch, 60, false)).toBe(false);
  });

  it('is reported later if no report may be made at the moment', () => {
    const watch = new AnswerWatch(0);
    const listen = { event: 'listen', yields: false } as const;
    watch.onSessionEvent({ event: 'session', id: 'one', dialect: 'legacy' }, true);
    pass(watch, spokenSeconds, true);
    watch.onSent(quietSeconds, false);
    for (let step = 0; step < steps; step += 1)
      expect(watch.onSessionEvent(listen, false)).toBeUndefined();
    expect(watch.onSessionEvent(listen, true)).toMatchObject({
      dialect: 'legacy',
      spokenSeconds,
    });
  });

  it('may listen for as many forced steps as configured, in each session', () => {
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

it('the number of forced steps comes from the settings or from the other options', () => {
  expect(forcedListenSteps(undefined)).toBe(0);
  expect(forcedListenSteps({ forceListenCount: 3 })).toBe(3);
  expect(forcedListenSteps({ other: { force_listen_count: 5 } })).toBe(5);
  expect(forcedListenSteps({ other: { force_listen_count: 'many' } })).toBe(0);
});
