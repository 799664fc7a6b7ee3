import type { VisionSettings } from '../settings/groups.ts';
import { fewestFramesPerSecond, mostFramesPerSecond } from './seeing-limits.ts';
import type { SeeingSettings } from './seeing-settings.ts';

type Kept = Pick<SeeingSettings, 'slices' | 'rate' | 'skipStill' | 'mirror' | 'flip'>;

/** Two rates that differ by less are the same to anybody. */
const sameRate = 1e-3;

/** What is kept of seeing, as seeing takes it: a frame a chunk has a name of its own there. */
export function seeingOf(vision: VisionSettings, chunkMs: number): Kept {
  const { slices, rate, fewerWhenStill, mirror, flip } = vision;
  const perChunk = Math.abs((rate * chunkMs) / 1000 - 1) < sameRate;
  const framesPerSecond = within(rate, fewestFramesPerSecond, mostFramesPerSecond);
  const paced = perChunk ? 'everyChunk' : { framesPerSecond };
  return { slices, rate: paced, skipStill: fewerWhenStill, mirror, flip };
}

/** The way back, within what may be kept. */
export function visionOf(
  { slices, rate, skipStill, mirror, flip }: Kept,
  chunkMs: number,
): Omit<VisionSettings, 'camera'> {
  const perSecond = rate === 'everyChunk' ? 1000 / chunkMs : rate.framesPerSecond;
  return { slices, rate: within(perSecond, 0.1, 5), fewerWhenStill: skipStill, mirror, flip };
}

export function isSameSeeing(one: Kept, other: Kept): boolean {
  return JSON.stringify(kept(one)) === JSON.stringify(kept(other));
}

function kept({ slices, rate, skipStill, mirror, flip }: Kept): readonly unknown[] {
  return [slices, rate, skipStill, mirror, flip];
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
