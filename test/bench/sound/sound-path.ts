/** A driver for the sound card. */
export interface SoundPath {
  /** Plays the tone until `flush`. */
  readonly play: () => void;
  readonly flush: () => Promise<void>;
  /** Lost samples by its own counters. */
  readonly lost: () => number;
  readonly close: () => Promise<void>;
}

export type OnCaptured = (block: Float32Array) => void;
