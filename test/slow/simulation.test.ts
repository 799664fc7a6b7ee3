import { describe, expect, it } from 'vitest';
import { randomRuns } from '../fakes/random-runs.ts';
import { plantedBugs } from '../simulation/planted-bugs.ts';
import { shrink, simulate } from '../simulation/run-simulation.ts';

const minute = 60_000;
/** Beside other tests a run takes many times as long. */
const timeout = 180_000;
/** New seeds for each run. A failed test names its seed, and `npm run simulate` repeats it with that seed and 3 minutes. */
const first = Math.floor(Math.random() * 1_000_000);
const seeds = Array.from({ length: randomRuns(6) }, (_, n) => first + n);

describe('a simulated world', () => {
  it.each(seeds)('breaks no invariant (seed %i, 3 minutes)', { timeout }, async (seed) => {
    const { wrong, simulatedMs, events } = await simulate(seed, 3 * minute);
    expect(wrong).toBeUndefined();
    expect(simulatedMs).toBeGreaterThan(2.5 * minute);
    // Some runs have few events.
    expect(events).toBeGreaterThan(20);
  });

  it('is the same for the same seed, event for event', { timeout }, async () => {
    const [one, other] = [await simulate(first, minute), await simulate(first, minute)];
    expect(other).toEqual(one);
  });

  it.each(Object.entries(plantedBugs))('finds out that %s', { timeout }, async (_, plantBug) => {
    let wrong: string | undefined;
    for (let seed = 1; wrong === undefined && seed <= 10; seed += 1)
      ({ wrong } = await simulate(seed, 5 * minute, { plantBug }));
    expect(wrong).toMatch(/\w+ \w+ \w+/u);
  });

  it('shrinks a failed run to the steps that cause the failure', { timeout }, async () => {
    const plantBug = plantedBugs['something is sent after the goodbye'];
    const failed = await simulate(1, 5 * minute, { plantBug });
    const shrunk = await shrink(failed, 60, plantBug);
    expect(shrunk.wrong).toBe(failed.wrong);
    expect(shrunk.steps.length).toBeLessThan(5);
    const again = await simulate(1, Math.ceil(shrunk.simulatedMs), {
      steps: shrunk.steps,
      plantBug,
    });
    expect(again.wrong).toBe(failed.wrong);
  });
});
