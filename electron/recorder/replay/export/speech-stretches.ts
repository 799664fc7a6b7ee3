import { ribbonMs } from '../film.ts';
import type { Film } from '../film.ts';

/** Somebody spoke, in milliseconds since the tape began. */
export interface SpeechStretch {
  readonly from: number;
  readonly to: number;
}

/** Between words it is as quiet for longer. */
const pauseMs = 700;
/** A cough, a key. */
const shortMs = 150;
const silentDb = -95;
const quietestDb = -50;
const overNoiseDb = 12;

/** When the person spoke, as loud as their side was: a good guess, made of the levels alone. */
export function speechStretches({ yourLevels, lengthMs }: Pick<Film, 'yourLevels' | 'lengthMs'>) {
  const levels = Array.from({ length: Math.ceil(lengthMs / ribbonMs) }, (_, point) =>
    yourLevels.levelDb(point),
  );
  // What the gate did not let through is no room's noise.
  const room = levels.filter((level) => level > silentDb).toSorted((one, other) => one - other);
  const noise = room[Math.floor(room.length / 10)] ?? 0;
  // Who speaks all the time is no noise.
  const threshold = Math.max(quietestDb, Math.min(noise + overNoiseDb, -35));
  const found: SpeechStretch[] = [];
  for (const [point, level] of levels.entries()) {
    if (level < threshold) continue;
    const from = point * ribbonMs;
    const last = found.at(-1);
    if (last !== undefined && from - last.to < pauseMs)
      found[found.length - 1] = { from: last.from, to: from + ribbonMs };
    else found.push({ from, to: from + ribbonMs });
  }
  return found.filter(({ from, to }) => to - from >= shortMs);
}
