import { simulate } from './simulate.ts';
import type { SimulationResult } from './simulate.ts';
import type { SpoilPorts } from './simulated-world.ts';
import type { Step } from './steps.ts';

/** Searches with a limited number of tries for fewer steps that fail in the same way. */
export async function shrink(
  failed: SimulationResult,
  tries = 200,
  spoil?: SpoilPorts,
): Promise<SimulationResult> {
  let best = failed;
  const left = { tries };
  const until = Math.ceil(failed.simulatedMs);
  const attempt = async (steps: readonly Step[]): Promise<boolean> => {
    left.tries -= 1;
    const tried = await simulate(failed.seed, until, { steps, spoil });
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
