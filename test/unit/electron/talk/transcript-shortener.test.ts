import { describe, expect, it } from 'vitest';
import {
  TranscriptShortener,
  type Shorten,
} from '../../../../electron/talk/transcript-shortener.ts';
import { englishCarryOver } from '../../../../shared/i18n/en/prompts.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';

function stage(said = 200) {
  const clock = new FakeClock();
  const asked: { request: string; done: (answer: string | undefined) => void }[] = [];
  let calledOff = 0;
  const shorten: Shorten = ({ request }, done) => {
    asked.push({ request, done });
    return () => {
      calledOff += 1;
    };
  };
  const shortener = new TranscriptShortener({
    maxTokens: () => 1024,
    clock,
    messages: englishCarryOver,
    turns: () =>
      Array.from({ length: said }, (_, turn) => ({
        session: 1,
        turn,
        text: `Fact ${turn} is told.`,
        cut: false,
      })),
    shorten,
  });
  shortener.onSession('unified');
  /** Runs a session of `seconds` until `until` are left. */
  const live = (seconds: number, until = 0): number[] => {
    const before: number[] = [];
    for (let left = seconds; left >= until; left -= 1) {
      clock.advance(1000);
      const already = asked.length;
      shortener.update(left, seconds - left);
      if (asked.length > already) before.push(left);
    }
    return before;
  };
  return { clock, asked, shortener, live, calledOff: () => calledOff };
}

describe('the shortening of the transcript', () => {
  it('happens once per session, early enough before a hand-over', () => {
    const { live, shortener } = stage();
    expect(live(300)).toEqual([150]);
    shortener.onSession('unified');
    expect(live(90)).toEqual([80]);
  });

  it.each([
    ['in a session that is too short', 200, 30],
    ['if everything fits', 10, 300],
    ['if the session’s end is unknown', 200, Infinity],
  ])('never happens %s', (_where, said, seconds) => {
    const { shortener, asked, live } = stage(said);
    if (Number.isFinite(seconds)) live(seconds);
    else shortener.update(Infinity, 100);
    expect(asked).toEqual([]);
  });

  it('never happens with a legacy server or before the dialect is known', () => {
    const { shortener, live } = stage();
    shortener.onSession('legacy');
    expect(live(300)).toEqual([]);
  });

  it('gives the next session the summary, until the next one', () => {
    const { asked, live, shortener } = stage();
    live(300);
    expect(asked[0]?.request).toMatch(/^Below is .+\n\n- Fact 0 is told\.\n/su);
    asked[0]?.done('Many facts were told.');
    expect(shortener.shortened).toMatchObject({ text: 'Many facts were told.' });
    shortener.forget();
    expect(shortener.shortened).toBeUndefined();
  });

  it('keeps the old summary after a failure, and stops after three', () => {
    const { asked, live, shortener } = stage();
    for (const answer of ['Many facts were told.', undefined, '', '---']) {
      shortener.onSession('unified');
      if (live(300).length > 0) asked.at(-1)?.done(answer);
      expect(shortener.shortened?.text).toBe('Many facts were told.');
    }
    // With a summary the transcript fits, so no further request was made or failed.
    expect(asked).toHaveLength(1);
    shortener.forget();
    for (let session = 0; session < 5; session += 1) {
      shortener.onSession('unified');
      if (live(300).length > 0) asked.at(-1)?.done(undefined);
    }
    expect(asked).toHaveLength(4);
    expect(shortener.shortened).toBeUndefined();
  });

  it('runs until it is cancelled, which cancels a request at most once', () => {
    const { asked, live, shortener, calledOff } = stage();
    live(300, 149);
    shortener.cancel();
    shortener.cancel();
    expect(calledOff()).toBe(1);
    shortener.onSession('unified');
    live(300, 149);
    asked[1]?.done('Many facts were told.');
    shortener.cancel();
    expect(calledOff()).toBe(1);
  });
});
