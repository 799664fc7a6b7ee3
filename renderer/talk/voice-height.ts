import { silentLevelDb } from '../../shared/talk/talk-view.ts';

/** Level of a loud voice without clipping. */
const maxDb = -6;

/** Meter height in [0, 1], linear in decibels, so that equal voices look equal. NaN is silence. */
export function voiceHeight(rmsDb: number): number {
  const share = (rmsDb - silentLevelDb) / (maxDb - silentLevelDb);
  return Number.isNaN(share) ? 0 : Math.min(1, Math.max(0, share));
}
