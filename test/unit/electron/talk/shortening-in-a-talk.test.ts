import { expect, it } from 'vitest';
import type { Shorten } from '../../../../electron/talk/transcript-shortener.ts';
import { lost, Stage } from './stage.ts';

/** A used session with much time left, while its transcript is being shortened. */
function shorteningTalk() {
  const asked: Parameters<Shorten>[] = [];
  let calledOff = 0;
  const stage = new Stage(
    {
      handsOver: true,
      sessionSeconds: 100,
      earlier: Array.from({ length: 90 }, (_, at) => ({
        text: `The answer number ${at} was this one, and it took some words.`,
        cut: false,
      })),
    },
    {
      shorten: (...request) => {
        asked.push(request);
        return () => {
          calledOff += 1;
        };
      },
    },
  ).live();
  stage.session.emit({ event: 'session', id: 's', dialect: 'unified' });
  stage.says('Yes.', 1).pass(2000).ends();
  stage.pass(10_000);
  expect(asked).toHaveLength(1);
  expect(calledOff).toBe(0);
  return { stage, asked, calledOff: () => calledOff };
}

it('shortening is cancelled if a hand-over is due earlier than expected', () => {
  const { stage, calledOff } = shorteningTalk();
  for (const contextTokens of [5000, 5800, 6600, 7400, 7800, 8000, 8150]) {
    stage.session.emit({ event: 'metrics', metrics: { contextTokens, values: {} } });
    stage.pass(1000);
  }
  expect(stage.sessions).toHaveLength(2);
  expect(calledOff()).toBe(1);
});

it('shortening is cancelled when the session is lost and when the talk ends', async () => {
  const one = shorteningTalk();
  one.stage.session.close(lost);
  expect(one.calledOff()).toBe(1);
  const other = shorteningTalk();
  const closing = other.stage.talk.close();
  other.stage.session.close({ ...lost, by: 'client' });
  await closing;
  expect(other.calledOff()).toBe(1);
});

it('the summary reaches all later sessions, including continuations by the user', () => {
  const { stage, asked } = shorteningTalk();
  asked[0]?.[1]('Ada had many answers.');
  stage.session.close({ ...lost, by: 'client' });
  stage.talk.continueTalk('transcript');
  expect(stage.session.options.settings.instructions).toContain('Ada had many answers.');
  stage.session.close({ ...lost, by: 'client' });
  stage.talk.continueTalk('nothing');
  stage.live().says('word '.repeat(1500), 1, 1).pass(3000).ends(1);
  stage.session.close({ ...lost, by: 'client' });
  stage.talk.continueTalk('transcript');
  const told = stage.session.options.settings.instructions;
  expect(told).toContain('word word');
  expect(told).not.toContain('Ada');
});
