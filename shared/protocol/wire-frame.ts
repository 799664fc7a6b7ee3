/** One WebSocket message, or the opening or end of a connection, as the inspector shows it. */
export interface WireFrame {
  /** Milliseconds of the core's monotonic clock. */
  readonly at: number;
  /** Number of the connection, from 1 in each run of Parley. */
  readonly connection: number;
  readonly mode: string;
  readonly direction: 'out' | 'in' | 'opened' | 'ended';
  /** Length of the whole frame in UTF-16 units, close to its size in bytes. */
  readonly length: number;
  /** Base64 is replaced with its length and secrets are redacted. For `ended`, the reason; empty for a binary frame. */
  readonly text: string;
}

/** Frames since the last batch. `missed` counts those left out because too many arrived at once. */
export interface WireBatch {
  readonly frames: readonly WireFrame[];
  readonly missed: number;
}
