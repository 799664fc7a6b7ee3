import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';
import type { SimulationResult } from './simulate.ts';
import type { SpoilPorts } from './simulated-world.ts';

/** Short enough to be replayed and shrunk, long enough for sessions to run out of time. */
const runMinutes = 8;

export interface SimulationOptions {
  /** The seed of the first world; each further world has the next one. */
  readonly seed: number;
  readonly minutes: number;
  readonly say: (line: string) => void;
  /** The real time in milliseconds. */
  readonly now: () => number;
  /** Plants a bug that the simulation must find. */
  readonly spoil?: SpoilPorts | undefined;
  /** Saves the disk of a failed world and returns its path. */
  readonly save: (seed: number, disk: SimulationResult['disk']) => Promise<string>;
}

/** Simulates worlds until the minutes are over or one fails; returns whether all passed. */
export async function runSimulation(options: SimulationOptions): Promise<boolean> {
  const { say, now, minutes, spoil } = options;
  const began = now();
  const sums = new Map<string, number>();
  let [simulatedMs, events, seed] = [0, 0, options.seed];
  const summary = (): string => {
    const times = Math.round(simulatedMs / Math.max(1, now() - began));
    const counts = [...sums].map(([name, count]) => `${count} ${name}`).join(', ');
    const hours = (simulatedMs / 3_600_000).toFixed(2);
    return `Seeds ${options.seed} to ${seed}: ${hours} h simulated, ${events} events, ${times} × real time; ${counts}.`;
  };
  for (let left = minutes; left > 0; left -= runMinutes) {
    const result = await simulate(seed, Math.min(left, runMinutes) * 60_000, { spoil });
    simulatedMs += result.simulatedMs;
    events += result.events;
    for (const [name, count] of Object.entries(result.counts))
      sums.set(name, (sums.get(name) ?? 0) + count);
    if (result.wrong !== undefined) {
      say(summary());
      await reportFailure(result, Math.min(left, runMinutes), options);
      return false;
    }
    if (left > runMinutes) seed += 1;
  }
  say(summary());
  return true;
}

async function reportFailure(
  result: SimulationResult,
  minutes: number,
  { say, save, spoil }: SimulationOptions,
): Promise<void> {
  say(`Seed ${result.seed}: ${result.wrong ?? ''}.`);
  say(`Again: npm run simulate -- --seed ${result.seed} --minutes ${minutes}`);
  say('Looking for fewer steps with the same failure…');
  const shrunk = await shrink(result, 200, spoil);
  for (const step of shrunk.steps) say(`  ${JSON.stringify(step)}`);
  const hasTape = [...shrunk.disk.keys()].some((path) => path.startsWith('/tapes/'));
  say(
    `${hasTape ? 'Its tape and other files' : 'Its files'}: ${await save(result.seed, shrunk.disk)}`,
  );
  say(`At ${Math.round(shrunk.simulatedMs)} ms: ${shrunk.wrong ?? ''}.`);
}
