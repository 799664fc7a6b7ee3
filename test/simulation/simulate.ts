import { seeded } from '../fakes/seeded.ts';
import { SimulatedWorld } from './simulated-world.ts';
import type { SpoilPorts } from './simulated-world.ts';
import { makeSteps } from './steps.ts';
import type { Step } from './steps.ts';

/** The result of one simulated world. */
export interface SimulationResult {
  readonly seed: number;
  readonly simulatedMs: number;
  readonly events: number;
  readonly steps: readonly Step[];
  readonly wrong: string | undefined;
  /** The disk's content at the violation: tapes, talks, conversations, settings. */
  readonly disk: ReadonlyMap<string, Uint8Array>;
  readonly counts: Readonly<Record<string, number>>;
}

/** Simulates one world. The same seed, length and steps give the same events. */
export async function simulate(
  seed: number,
  milliseconds: number,
  {
    steps = makeSteps(seeded(seed), milliseconds),
    spoil,
  }: { readonly steps?: readonly Step[] | undefined; readonly spoil?: SpoilPorts | undefined } = {},
): Promise<SimulationResult> {
  const world = new SimulatedWorld(seed, spoil);
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
