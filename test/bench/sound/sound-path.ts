/** One way to the sound card. */
export interface SoundPath {
  /** Begins to play the tone and goes on until it is cut. */
  readonly play: () => void;
  readonly cut: () => Promise<void>;
  /** Samples its own counters call lost. */
  readonly lost: () => number;
  readonly close: () => Promise<void>;
}

export type Hear = (block: Float32Array) => void;
