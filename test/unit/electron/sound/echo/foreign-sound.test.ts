import { describe, expect, it } from 'vitest';
import { AdaptiveCanceller } from '../../../../../electron/sound/echo/adaptive-canceller.ts';
import { echoRoom } from '../../../../fakes/echo-room.ts';
import type { EchoRoomOptions } from '../../../../fakes/echo-room.ts';
import { heardIn, voiceIn } from '../../../../fakes/heard-in-room.ts';

const answerAt = 0.5;
const personAt = 0.9;
/** What comes back of headphones: 50 dB less than is played. */
const headphones = -70;

/** The first answer since the microphone was opened begins after half a second, and somebody may speak over it. */
function firstAnswer(options: EchoRoomOptions) {
  const room = echoRoom({ seconds: 1.8, pauses: [[0, answerAt]], ...options });
  const canceller = new WatchedCanceller();
  const heard = heardIn(room, canceller);
  const { levelDb } = voiceIn(room, heard, personAt + 0.1, personAt + 0.6);
  return { levelDb, somebodyAt: canceller.somebodyAt };
}

/** Writes down when it first heard somebody. */
class WatchedCanceller extends AdaptiveCanceller {
  somebodyAt = Infinity;
  #seconds = 0;

  override process(frame: Float32Array, farEnd: Float32Array): Float32Array {
    const clean = super.process(frame, farEnd);
    this.#seconds += 0.01;
    if (this.hearsSomebody) this.somebodyAt = Math.min(this.somebodyAt, this.#seconds);
    return clean;
  }
}

describe('over the first answer since a start', () => {
  it.each([-20, -26, -32])('a person of %d dBFS with headphones is heard', (voiceDb) => {
    for (const seed of [1, 2]) {
      const speaks = [[personAt, 2]] as const;
      const found = firstAnswer({ seed, echoDb: headphones, voiceDb, speaks });
      expect(found.levelDb, `room ${seed}`).toBeGreaterThan(-4.5);
      expect(found.somebodyAt - personAt, `room ${seed}`).toBeLessThan(0.3);
      expect(found.somebodyAt - personAt, `room ${seed}`).toBeGreaterThan(0);
    }
  });

  it('a person who is much louder than the loudspeaker can be is heard beside it', () => {
    const found = firstAnswer({ seed: 4, echoDb: -38, voiceDb: -18, speaks: [[personAt, 2]] });
    expect(found.somebodyAt - personAt).toBeLessThan(0.3);
    expect(found.levelDb).toBeGreaterThan(-8);
  });

  it.each([
    { delayMs: 25 },
    { delayMs: 120, reverbSeconds: 0.5 },
    { delayMs: 230 },
    { echoDb: -14 },
    { echoDb: -34 },
    { drive: 3 },
    { jumps: [{ at: 1, ms: 40 }] },
    { jumps: [{ at: 0.9, ms: -30 }] },
  ])('an echo is nobody: %o', (options) => {
    for (const seed of [5, 6])
      expect(firstAnswer({ seed, ...options }).somebodyAt, `room ${seed}`).toBe(Infinity);
  });

  it('nobody knows who speaks where what is played has just begun anew', () => {
    const room = echoRoom({ seed: 1, seconds: 1.8, echoDb: headphones, speaks: [[personAt, 1.8]] });
    const canceller = new WatchedCanceller();
    heardIn(room, canceller);
    expect(canceller.hearsSomebody).toBe(true);
    canceller.breaks(0);
    canceller.process(new Float32Array(160), room.played.slice(0, 160));
    expect(canceller.hearsSomebody).toBe(false);
  });
});
