import type { Playback, PlaybackOptions } from './playback.ts';
import { emitSilence } from '../dsp/silence.ts';
import { TurnQueue } from './turn-queue.ts';

/** A loudspeaker without one: what a person would have heard, on the session's own time line. */
export function createClockedPlayback({ rate, heard }: PlaybackOptions): Playback {
  const queue = new TurnQueue();
  let position = 0;

  return {
    write: (samples, turn) => {
      queue.add(samples, turn);
    },
    flush: () => queue.keep(0),
    advanceTo: (milliseconds) => {
      const target = Math.round((milliseconds * rate) / 1000);
      while (position < target) {
        const samples = queue.take(target - position);
        if (samples === undefined) {
          emitSilence(target - position, heard);
          position = target;
        } else {
          heard(samples);
          position += samples.length;
        }
      }
    },
    reachOf: (turn) => queue.reachOf(turn),
    get queued() {
      return queue.queued;
    },
    get drained() {
      return queue.queued === 0;
    },
    get waitingTurns() {
      return queue.turns;
    },
    get playhead() {
      return queue.taken;
    },
  };
}
