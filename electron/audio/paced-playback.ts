export interface PacedPlaybackOptions {
  readonly rate: number;
  /** What has been heard since the last time, silence included; only good until the call returns. */
  readonly heard: (samples: Float32Array) => void;
}

/** A loudspeaker without one: what a person would have heard, on the session's own time line. */
export interface PacedPlayback {
  /** Takes the samples over as they are; the caller does not change them afterwards. */
  readonly write: (samples: Float32Array, turn: number) => void;
  /** Throws away what was not heard yet, and says how many samples that were. */
  readonly flush: () => number;
  /** Moves the playhead to so many milliseconds since the beginning; never back. */
  readonly advanceTo: (milliseconds: number) => void;
  /** Samples of the answer that wait to be heard. */
  readonly queued: number;
  readonly drained: boolean;
  /** Samples of the answer that were heard, without the silence: the playhead of the captions. */
  readonly playhead: number;
  /** The turns that something waits of, in order: what a flush cuts short. */
  readonly waitingTurns: readonly number[];
  /** The playhead within one turn. */
  readonly heardOf: (turn: number) => number;
}

interface Waiting {
  readonly samples: Float32Array;
  readonly turn: number;
}

/** Silence is handed out in blocks of this, so that a long wait needs no long buffer. */
const longestSilence = 4096;

export function createPacedPlayback({ rate, heard }: PacedPlaybackOptions): PacedPlayback {
  const silence = new Float32Array(longestSilence);
  const heardByTurn = new Map<number, number>();
  let waiting: Waiting[] = [];
  let queued = 0;
  let playhead = 0;
  let position = 0;

  const playSome = (most: number): number => {
    const [first, ...rest] = waiting;
    if (first === undefined) {
      const length = Math.min(most, longestSilence);
      heard(silence.subarray(0, length));
      return length;
    }
    const samples = first.samples.subarray(0, most);
    const left = first.samples.subarray(samples.length);
    waiting = left.length === 0 ? rest : [{ ...first, samples: left }, ...rest];
    queued -= samples.length;
    playhead += samples.length;
    heardByTurn.set(first.turn, (heardByTurn.get(first.turn) ?? 0) + samples.length);
    heard(samples);
    return samples.length;
  };

  return {
    write: (samples, turn) => {
      if (samples.length === 0) return;
      waiting.push({ samples, turn });
      queued += samples.length;
    },
    flush: () => {
      const thrown = queued;
      waiting = [];
      queued = 0;
      return thrown;
    },
    advanceTo: (milliseconds) => {
      const target = Math.round((milliseconds * rate) / 1000);
      while (position < target) position += playSome(target - position);
    },
    heardOf: (turn) => heardByTurn.get(turn) ?? 0,
    get queued() {
      return queued;
    },
    get drained() {
      return queued === 0;
    },
    get waitingTurns() {
      return [...new Set(waiting.map(({ turn }) => turn))];
    },
    get playhead() {
      return playhead;
    },
  };
}
