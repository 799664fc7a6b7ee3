import { languages } from '../../shared/i18n/languages.ts';
import { seeded } from '../fakes/seeded.ts';
import { SimulatedWorld, type PlantBug } from './simulated-world.ts';
import { makeSteps, type Step } from './steps.ts';

/** The result of one simulated world. */
export interface SimulationResult {
  readonly seed: number;
  readonly simulatedMs: number;
  readonly events: number;
  readonly steps: readonly Step[];
  readonly wrong: string | undefined;
  /** The disk's content after a violation: tapes, talks, conversations, settings. Empty if there was none. */
  readonly disk: ReadonlyMap<string, Uint8Array>;
  readonly counts: Readonly<Record<string, number>>;
}

/** Simulates one world. The same seed, length and steps give the same events. */
export async function simulate(
  seed: number,
  milliseconds: number,
  {
    steps = makeSteps(seeded(seed), milliseconds),
    plantBug,
  }: {
    readonly steps?: readonly Step[] | undefined;
    readonly plantBug?: PlantBug | undefined;
  } = {},
): Promise<SimulationResult> {
  // A module takes real time to load, only once in a process, and no simulated time.
  for (const { core } of Object.values(languages)) await core();
  const world = new SimulatedWorld(seed, plantBug);
  await world.play(steps, milliseconds);
  const { watch, now, events } = world;
  return {
    seed,
    simulatedMs: now,
    events,
    steps,
    wrong: watch.wrong,
    disk: watch.wrong === undefined ? new Map() : world.disk.files(),
    counts: {
      talks: watch.talks,
      frames: watch.frames,
      tapes: watch.storage.tapes,
      restarts: watch.restarts,
      talkSeconds: Math.round(watch.talkMs / 1000),
      writtenAnswers: watch.chatAnswers,
      answerSeconds: Math.round(watch.answers.heardSeconds),
      ...Object.fromEntries(watch.endings),
    },
  };
}

/** Searches with a limited number of tries for fewer steps that fail in the same way. */
export async function shrink(
  failed: SimulationResult,
  tries = 200,
  plantBug?: PlantBug,
): Promise<SimulationResult> {
  let best = failed;
  const left = { tries };
  const until = Math.ceil(failed.simulatedMs);
  const attempt = async (steps: readonly Step[]): Promise<boolean> => {
    left.tries -= 1;
    const tried = await simulate(failed.seed, until, { steps, plantBug });
    if (kindOf(tried.wrong) !== kindOf(failed.wrong)) return false;
    best = tried;
    return true;
  };
  let steps = failed.steps.filter(({ at }) => at <= until);
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < steps.length && left.tries > 0;) {
      const fewer = [...steps.slice(0, from), ...steps.slice(from + size)];
      if (await attempt(fewer)) steps = fewer;
      else from += size;
    }
  }
  return best;
}

/** The sentence without numbers. */
function kindOf(wrong: string | undefined): string | undefined {
  return wrong?.replaceAll(/[\d.]+/gu, 'n');
}

/** Length of one world: short enough to be repeated and shrunk, long enough for sessions to reach their time limit. */
const runMinutes = 8;

export interface SimulationOptions {
  /** The seed of the first world; each further world has the next one. */
  readonly seed: number;
  readonly minutes: number;
  readonly say: (line: string) => void;
  /** Milliseconds of a clock that measures how long the simulation takes. */
  readonly now: () => number;
  /** Plants a bug that the simulation must find. */
  readonly plantBug?: PlantBug | undefined;
  /** Saves the disk of a failed world and returns its path. */
  readonly save: (seed: number, disk: SimulationResult['disk']) => Promise<string>;
}

/** Simulates worlds until the simulated minutes are over or one fails; returns whether all passed. */
export async function runSimulation(options: SimulationOptions): Promise<boolean> {
  const { say, now, minutes, plantBug } = options;
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
    const result = await simulate(seed, Math.min(left, runMinutes) * 60_000, { plantBug });
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
  { say, save, plantBug }: SimulationOptions,
): Promise<void> {
  say(`Seed ${result.seed}: ${result.wrong ?? ''}.`);
  say(`Again: npm run simulate -- --seed ${result.seed} --minutes ${minutes}`);
  say('Looking for fewer steps with the same failure…');
  const shrunk = await shrink(result, 200, plantBug);
  for (const step of shrunk.steps) say(`  ${JSON.stringify(step)}`);
  const hasTape = [...shrunk.disk.keys()].some((path) => path.startsWith('/tapes/'));
  say(
    `${hasTape ? 'Its tape and other files' : 'Its files'}: ${await save(result.seed, shrunk.disk)}`,
  );
  say(`At ${Math.round(shrunk.simulatedMs)} ms: ${shrunk.wrong ?? ''}.`);
}
