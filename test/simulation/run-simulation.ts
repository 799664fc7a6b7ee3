import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';
import type { Life } from './simulate.ts';
import type { SpoilPorts } from './simulated-world.ts';

/** Short enough to be replayed and shrunk, long enough for sessions to run out of time. */
const lifeMinutes = 8;

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
  readonly save: (seed: number, disk: Life['disk']) => Promise<string>;
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
  for (let left = minutes; left > 0; left -= lifeMinutes) {
    const life = await simulate(seed, Math.min(left, lifeMinutes) * 60_000, { spoil });
    simulatedMs += life.simulatedMs;
    events += life.events;
    for (const [name, count] of Object.entries(life.counts))
      sums.set(name, (sums.get(name) ?? 0) + count);
    if (life.wrong !== undefined) {
      say(summary());
      await tellWrong(life, Math.min(left, lifeMinutes), options);
      return false;
    }
    if (left > lifeMinutes) seed += 1;
  }
  say(summary());
  return true;
}

async function tellWrong(
  life: Life,
  minutes: number,
  { say, save, spoil }: SimulationOptions,
): Promise<void> {
  say(`Seed ${life.seed}: ${life.wrong ?? ''}.`);
  say(`Again: npm run simulate -- --seed ${life.seed} --minutes ${minutes}`);
  say('Looking for fewer steps that come to the same…');
  const shrunk = await shrink(life, 200, spoil);
  for (const step of shrunk.steps) say(`  ${JSON.stringify(step)}`);
  const hasTape = [...shrunk.disk.keys()].some((path) => path.startsWith('/tapes/'));
  say(
    `${hasTape ? 'Its tape and all else' : 'All'} that it kept: ${await save(life.seed, shrunk.disk)}`,
  );
  say(`At ${Math.round(shrunk.simulatedMs)} ms: ${shrunk.wrong ?? ''}.`);
}
