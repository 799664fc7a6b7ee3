/** One event of the wire, as the inspector shows it. */
export interface WireFrame {
  /** Milliseconds of the core's clock, by which differences can be told. */
  readonly at: number;
  /** Connections count from 1 in each run of Parley. */
  readonly connection: number;
  readonly mode: string;
  readonly direction: 'out' | 'in' | 'opened' | 'ended';
  /** Of the whole frame in UTF-16 units, which for the JSON of this protocol are nearly bytes. */
  readonly length: number;
  /**
   * The frame, with runs of base64 replaced by their length, secrets veiled and a long rest cut off;
   * for `ended` why it did. Empty for a binary frame.
   */
  readonly text: string;
}

/** What has passed since the last time. `missed` frames were too many to be shown. */
export interface WireBatch {
  readonly frames: readonly WireFrame[];
  readonly missed: number;
}
