/** One way to the sound card. */
export interface SoundPath {
  /** Begins to play the tone and goes on until it is flushed. */
  readonly play: () => void;
  readonly flush: () => Promise<void>;
  /** Samples its own counters call lost. */
  readonly lost: () => number;
  readonly close: () => Promise<void>;
}

export type OnCaptured = (block: Float32Array) => void;
