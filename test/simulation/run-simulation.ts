import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';
import type { Life } from './simulate.ts';
import type { SpoilPorts } from './simulated-world.ts';

/** One life is so long: short enough to be replayed and shrunk, long enough for sessions to run out of time. */
const lifeMinutes = 8;

export interface SimulationOptions {
  /** The first life's; each that follows has the next. */
  readonly seed: number;
  readonly minutes: number;
  readonly say: (line: string) => void;
  /** Milliseconds of the machine. */
  readonly now: () => number;
  /** A fault that is to be found. */
  readonly spoil?: SpoilPorts | undefined;
  /** Keeps the disk of a life that went wrong, and says where. */
  readonly save: (seed: number, disk: Life['disk']) => Promise<string>;
}

/** Lives one life after the other, up to so many minutes or to the first that goes wrong; says whether none did. */
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
