import { expect, it } from 'vitest';
import { missingSoundServer } from '../contract/sound/sound-server.ts';
import { runTalks } from '../soak/talks/run-talks.ts';
import { soonMs } from '../scenes/talk-checks.ts';

const missing = await missingSoundServer();

/** Limits for a busy machine; `npm run soak -- talks` has stricter ones. */
const busyMachineLimits = { gapMs: 1000 + 2 * soonMs, missingSeconds: 3, heard: 0.9 };

it('talks of twenty seconds with two kinds of servers stay within the limits for a busy machine', async ({
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
