/**
 * How a tape's sound is written. `float32` is what went over the wire, bit by bit; the others round it to 16 bit, `flac`
 * without losing more.
 */
export type TapeCoding = 'float32' | 'pcm16' | 'flac';

export const tapeCodings = ['float32', 'pcm16', 'flac'] as const satisfies readonly TapeCoding[];

/** What a tape has whose header says nothing of it. */
export const exactCoding: TapeCoding = 'float32';

export function isTapeCoding(value: unknown): value is TapeCoding {
  return tapeCodings.some((coding) => coding === value);
}
