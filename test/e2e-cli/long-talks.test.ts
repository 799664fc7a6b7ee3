import { describe, expect, it } from 'vitest';
import { missingSoundServer } from '../contract/sound/sound-server.ts';
import { judgeTalk } from '../soak/talks/judge-talk.ts';
import { CardStops } from '../soak/talks/card-stops.ts';
import { runTalks } from '../soak/talks/run-talks.ts';
import { soonMs } from '../scenes/talk-checks.ts';

const missing = await missingSoundServer();

/** Limits for a busy machine; `npm run soak -- talks` has stricter ones. */
const busyMachineLimits = { gapMs: 1000 + 2 * soonMs, missingSeconds: 3, heard: 0.9 };

it('talks of twenty seconds with two kinds of servers at once keep their limits', async ({
  skip,
}) => {
  if (missing !== undefined) skip(missing);
  const verdicts = await runTalks({
    seconds: 20,
    with: ['older', 'llama-omni'],
    limits: busyMachineLimits,
  });
  expect(verdicts.map(({ cells, broken }) => [cells['server'], broken])).toEqual([
    ['older', []],
    ['llama-omni', []],
  ]);
}, 180_000);

describe('the verdict on a talk', () => {
  const answer = { sentMs: 4000, heardMs: 4000, delayMs: 60, gapsMs: [] };
  const account = (cameAt: readonly number[], { waitedMs = 0, heardMs = 4000 } = {}) => ({
    server: 'older' as const,
    appends: cameAt.map((at) => ({ at, samples: 16_000, waitedMs })),
    answers: [{ ...answer, heardMs }],
    unanswered: 0,
    card: new CardStops(),
  });
  const stalled = [0, 1000, 2000, 5000, 5000, 6000];

  it('reports the longest gap between sounds', () => {
    expect(judgeTalk(account(stalled), 0).broken).toEqual(['a gap of 3000 ms (the machine: 0)']);
  });

  it('excuses the gaps of a busy processor, and shows them', () => {
    const { cells, broken } = judgeTalk(account(stalled, { waitedMs: 1900 }), 0);
    expect([broken, cells['gaps excused'], cells['of it the machine']]).toEqual([
      [],
      '1',
      '1900 ms',
    ]);
  });

  it('reports sound that was not sent', () => {
    expect(judgeTalk(account([0, 1300, 2600, 3900, 5200, 6500]), 0).broken).toEqual([
      '1.5 s not sent',
    ]);
  });

  it('reports sound that was not heard, beyond the loss of a plain tone', () => {
    const cut = account([0, 1000], { heardMs: 3900 });
    expect(judgeTalk(cut, 0).broken).toEqual(['2.50 % of answers lost']);
    expect(judgeTalk(cut, 0.02).broken).toEqual([]);
  });
});
