import { silentLevelDb } from '../../shared/talk/talk-view.ts';

/** The loudest that a voice gets without being clipped. */
const loudestDb = -6;

/**
 * How much of its room a level takes, from 0 for silence to 1: by its decibels alone, so that two voices that sound
 * alike look alike. No number is silence.
 */
export function voiceHeight(rmsDb: number): number {
  const share = (rmsDb - silentLevelDb) / (loudestDb - silentLevelDb);
  return Number.isNaN(share) ? 0 : Math.min(1, Math.max(0, share));
}
