import { setTimeout as wait } from 'node:timers/promises';
import { outputRate } from '../../../shared/protocol/limits.ts';
import { Tone } from '../sound/tone.ts';
import type { Rig } from './rig.ts';

export interface Finding {
  readonly what: string;
  readonly limit: string;
  readonly found: string;
  readonly met: boolean;
}

export type Measure = (rig: Rig) => Promise<readonly Finding[]>;

interface Step {
  /** From the turn's beginning. */
  readonly atMs: number;
  readonly soundMs: number;
}

export interface SaidTurn {
  /** When its first delta went. */
  readonly sentAt: number;
  /** How much later than planned a delta went at most: a busy machine is late itself. */
  readonly lateMs: number;
}

/** Sends a turn as the steps say and waits until it has been heard. */
export async function sayTurn(rig: Rig, steps: readonly Step[]): Promise<SaidTurn> {
  const tone = new Tone(outputRate);
  rig.monitor.reset();
  const began = performance.now();
  let first: number | undefined;
  let soundMs = 0;
  let lateMs = 0;
  for (const [n, step] of steps.entries()) {
    await wait(Math.max(0, began + step.atMs - performance.now()));
    const audio = tone.next(Math.round((step.soundMs * outputRate) / 1000));
    lateMs = Math.max(lateMs, performance.now() - began - step.atMs);
    const at = rig.delta(audio, n === steps.length - 1);
    first ??= at;
    soundMs += step.soundMs;
  }
  // What was held back and what was stretched comes on top.
  const left = began + soundMs + 1500 - performance.now();
  await wait(Math.max(1500, left));
  return { sentAt: first ?? Number.NaN, lateMs };
}

export function share(values: readonly number[], of: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * of))] ?? Number.NaN;
}
