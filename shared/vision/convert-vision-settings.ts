import type { VisionSettings } from '../settings/settings-groups.ts';
import { minFramesPerSecond, maxFramesPerSecond } from './vision-limits.ts';
import type { VisionOptions } from './vision-options.ts';

type StoredOptions = Pick<VisionOptions, 'slices' | 'rate' | 'skipStill' | 'mirror' | 'flip'>;

/** Two rates that differ by less are the same to anybody. */
const sameRate = 1e-3;

/** The stored settings as the frame pipeline takes them: a frame a chunk has a name of its own there. */
export function visionOptionsOf(vision: VisionSettings, chunkMs: number): StoredOptions {
  const { slices, rate, fewerWhenStill, mirror, flip } = vision;
  const perChunk = Math.abs((rate * chunkMs) / 1000 - 1) < sameRate;
  const framesPerSecond = clamp(rate, minFramesPerSecond, maxFramesPerSecond);
  const paced = perChunk ? 'everyChunk' : { framesPerSecond };
  return { slices, rate: paced, skipStill: fewerWhenStill, mirror, flip };
}

/** The way back, within what may be kept. */
export function visionSettingsOf(
  { slices, rate, skipStill, mirror, flip }: StoredOptions,
  chunkMs: number,
): Omit<VisionSettings, 'camera' | 'budget'> {
  const perSecond = rate === 'everyChunk' ? 1000 / chunkMs : rate.framesPerSecond;
  return { slices, rate: clamp(perSecond, 0.1, 5), fewerWhenStill: skipStill, mirror, flip };
}

export function isSameVision(one: StoredOptions, other: StoredOptions): boolean {
  return JSON.stringify(storedFields(one)) === JSON.stringify(storedFields(other));
}

function storedFields({
  slices,
  rate,
  skipStill,
  mirror,
  flip,
}: StoredOptions): readonly unknown[] {
  return [slices, rate, skipStill, mirror, flip];
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
