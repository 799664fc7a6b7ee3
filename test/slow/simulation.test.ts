import { describe, expect, it } from 'vitest';
import { randomRuns } from '../fakes/random-runs.ts';
import { plantedBugs } from '../simulation/planted-bugs.ts';
import { runSimulation, shrink, simulate } from '../simulation/run-simulation.ts';

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

  it('reports seed, steps and tape of a failed run', { timeout }, async () => {
    const lines: string[] = [];
    let saved: readonly string[] = [];
    const allIsWell = await runSimulation({
      seed: 1,
      minutes: 400,
      plantBug: plantedBugs['a tape loses lines'],
      say: (line) => void lines.push(line),
      now: () => 0,
      save: (_seed, disk) => {
        saved = [...disk.keys()];
        return Promise.resolve('a folder');
      },
    });
    expect(allIsWell).toBe(false);
    expect(lines.join('\n')).toMatch(
      /Again: npm run simulate -- --seed \d+ --minutes 8\n[^]*"does":[^]*Its tape and other files: a folder/u,
    );
    expect(saved.filter((path) => /^\/tapes\/.*tape\.ndjson$/u.test(path))).not.toEqual([]);
  });

  it('reports the seeds it ran, the simulated time, and the speed', async () => {
    const lines: string[] = [];
    let at = 0;
    const now = (): number => (at += 1000);
    const save = (): Promise<string> => Promise.reject(new Error('nothing was wrong'));
    const say = (line: string): void => void lines.push(line);
    expect(await runSimulation({ seed: 5, minutes: 1, say, now, save })).toBe(true);
    expect(lines.join('\n')).toMatch(
      /^Seeds 5 to 5: 0\.0\d h simulated, \d+ events, \d+ × real time; /u,
    );
  });
});
