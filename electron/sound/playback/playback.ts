/** The way of an answer to whoever listens, and how far it has been heard. */
export interface Playback {
  /** Takes the samples over as they are; the caller does not change them afterwards. */
  readonly write: (samples: Float32Array, turn: number) => void;
  /** Throws away what can still be kept from being heard, and says how many samples that were. */
  readonly flush: () => number;
  /** Moves on to so many milliseconds since the beginning; never back. */
  readonly advanceTo: (milliseconds: number) => void;
  /** Samples of the answer that wait to be heard. */
  readonly queued: number;
  readonly drained: boolean;
  /** Samples of the answer that were heard, without the silence: the playhead of the captions. */
  readonly playhead: number;
  /** The turns that something waits of, in order: what a flush cuts short. */
  readonly waitingTurns: readonly number[];
  /** Samples of one turn that were heard or wait for it; after a flush, where it was cut. */
  readonly reachOf: (turn: number) => number;
}

export interface PlaybackOptions {
  readonly rate: number;
  /** What has been heard since the last time, silence included; only good until the call returns. */
  readonly heard: (samples: Float32Array) => void;
}
