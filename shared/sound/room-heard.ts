import type { LoopbackResult } from './loopback-result.ts';

/** What a room is like for who talks without headphones, in classes that have words. */
export interface RoomHeard {
  /** How loud the microphone hears the speaker. */
  readonly echo: 'hardly' | 'some' | 'loud';
  readonly noise: 'quiet' | 'some' | 'loud';
}

/** Softer than what was played by so much, and an answer is no louder in the microphone than a quiet room. */
const hardlyDb = -40;
/** And from here on as loud as a person at arm's length. */
const loudDb = -15;
const quietDb = -58;
const noisyDb = -44;

/** What a chirp that came back says of the room. */
export function roomHeard({
  levelDb,
  noiseDb,
}: Pick<Extract<LoopbackResult, { heard: true }>, 'levelDb' | 'noiseDb'>): RoomHeard {
  return {
    echo: classOf(levelDb, hardlyDb, loudDb, ['hardly', 'some', 'loud']),
    noise: noiseHeard(noiseDb),
  };
}

/** How loud a room is by itself. */
export function noiseHeard(noiseDb: number): RoomHeard['noise'] {
  return classOf(noiseDb, quietDb, noisyDb, ['quiet', 'some', 'loud']);
}

function classOf<Class>(
  db: number,
  low: number,
  high: number,
  [soft, middle, loud]: readonly [Class, Class, Class],
): Class {
  if (db < low) return soft;
  return db < high ? middle : loud;
}
