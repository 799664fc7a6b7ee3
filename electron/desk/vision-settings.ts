import type { VisionSettings } from '../../shared/settings/groups.ts';
import { fewestFramesPerSecond, mostFramesPerSecond } from '../../shared/vision/seeing-limits.ts';
import type { SeeingSettings } from '../../shared/vision/seeing-settings.ts';

type Kept = Pick<SeeingSettings, 'slices' | 'rate' | 'skipStill'>;

/** Two rates that differ by less are the same to anybody. */
const sameRate = 1e-3;

/** What is kept of seeing, as seeing takes it: a frame a chunk has a name of its own there. */
export function seeingOf({ slices, rate, fewerWhenStill }: VisionSettings, chunkMs: number): Kept {
  const perChunk = Math.abs((rate * chunkMs) / 1000 - 1) < sameRate;
  const framesPerSecond = within(rate, fewestFramesPerSecond, mostFramesPerSecond);
  return { slices, rate: perChunk ? 'everyChunk' : { framesPerSecond }, skipStill: fewerWhenStill };
}

/** The way back, within what may be kept. */
export function visionOf({ slices, rate, skipStill }: Kept, chunkMs: number): VisionSettings {
  const perSecond = rate === 'everyChunk' ? 1000 / chunkMs : rate.framesPerSecond;
  return { slices, rate: within(perSecond, 0.1, 5), fewerWhenStill: skipStill };
}

export function isSameSeeing(one: Kept, other: Kept): boolean {
  return JSON.stringify(kept(one)) === JSON.stringify(kept(other));
}

function kept({ slices, rate, skipStill }: Kept): readonly unknown[] {
  return [slices, rate, skipStill];
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
