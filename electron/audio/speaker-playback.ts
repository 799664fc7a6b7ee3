import type { Playback, PlaybackOptions } from './playback.ts';
import { giveSilence } from './silence.ts';
import type { Speaker } from './speaker.ts';
import { TurnQueue } from './turn-queue.ts';

interface Options extends PlaybackOptions {
  readonly speaker: Pick<Speaker, 'write' | 'flush' | 'heard'>;
}

/** Two clocks drift apart by less than this; a speaker that falls back further has truly paused. */
const toleranceSeconds = 0.1;

/**
 * A real speaker: how far an answer has been heard is what the device says. What was heard is also
 * handed on, on the session's time line; within an answer nothing is put in for clocks that differ.
 */
export function createSpeakerPlayback({ rate, heard, speaker }: Options): Playback {
  const queue = new TurnQueue();
  const begun = speaker.heard();
  const tolerance = Math.round(toleranceSeconds * rate);
  let position = 0;
  /** Something of what waits has already begun to sound. */
  let sounding = false;

  const follow = (): void => {
    let fresh = speaker.heard() - begun - queue.taken;
    while (fresh > 0) {
      const samples = queue.take(fresh);
      if (samples === undefined) break;
      sounding = true;
      fresh -= samples.length;
      position += samples.length;
      heard(samples);
    }
    if (queue.queued === 0) sounding = false;
  };

  return {
    write: (samples, turn) => {
      if (samples.length === 0) return;
      queue.add(samples, turn);
      speaker.write(samples);
    },
    flush: () => {
      const played = speaker.flush().heard - begun;
      return queue.keep(played - queue.taken);
    },
    advanceTo: (milliseconds) => {
      follow();
      const behind = Math.round((milliseconds * rate) / 1000) - position;
      if (behind <= (sounding ? tolerance : 0)) return;
      giveSilence(behind, heard);
      position += behind;
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
