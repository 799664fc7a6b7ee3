import { bandCount } from './sound-bands.ts';
import type { SoundBands } from './sound-bands.ts';

/** Where a known sound was found in another: both in frames, `from` before 0 where its beginning is missing. */
export interface BandMatch {
  readonly from: number;
  /** 1 where they are the same but for how loud each band is. */
  readonly likeness: number;
}

/** So much of the known sound must be there: fewer frames are like many a sound. */
const minFrames = 55;
const minVoiced = 35;
/** First every other place, then those around the best. */
const stride = 2;

/** The place at which the known sound is most like the heard one. */
export function bestMatch(heard: SoundBands, known: SoundBands): BandMatch | undefined {
  let best: BandMatch | undefined;
  const look = (from: number): void => {
    const likeness = likenessAt(heard, known, from);
    if (likeness !== undefined && (best === undefined || likeness > best.likeness))
      best = { from, likeness };
  };
  for (let from = minFrames - known.frames; from <= heard.frames - minFrames; from += stride)
    look(from);
  const around = best?.from;
  if (around !== undefined) for (const step of [-1, 1]) look(around + step);
  return best;
}

/** The correlation of all bands over the frames that both have; what is constant in a band does not count. */
function likenessAt(heard: SoundBands, known: SoundBands, from: number): number | undefined {
  const begin = Math.max(0, -from);
  const end = Math.min(known.frames, heard.frames - from);
  const count = end - begin;
  if (count < Math.min(minFrames, known.frames)) return undefined;
  let voiced = 0;
  for (let at = begin; at < end; at += 1) if (known.voiced[at] === true) voiced += 1;
  if (voiced < Math.min(minVoiced, known.frames / 2)) return undefined;
  let [product, heardPower, knownPower] = [0, 0, 0];
  for (let band = 0; band < bandCount; band += 1) {
    let [x, y, xx, yy, xy] = [0, 0, 0, 0, 0];
    for (let at = begin; at < end; at += 1) {
      const one = heard.levels[(at + from) * bandCount + band] ?? 0;
      const other = known.levels[at * bandCount + band] ?? 0;
      x += one;
      y += other;
      xx += one * one;
      yy += other * other;
      xy += one * other;
    }
    product += xy - (x * y) / count;
    heardPower += xx - (x * x) / count;
    knownPower += yy - (y * y) / count;
  }
  const power = Math.sqrt(heardPower * knownPower);
  return power > 0 ? product / power : undefined;
}
