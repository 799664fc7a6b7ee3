/** What is known of a frame as it goes to the model. */
export interface FrameInfo {
  /** When it was sent, on the core's clock. */
  readonly at: number;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  /** Into how many slices it may be cut, as far as its size lets it. */
  readonly slices: number;
  /** An estimate, until the server's own figure comes with the step. */
  readonly tokens: number;
  /** `tokens`, and `slices` where it tells them, are the server's own figures. */
  readonly counted?: true | undefined;
}

/** What the server says of the newest frame that went to it. */
export type FrameCount = Pick<FrameInfo, 'at' | 'tokens' | 'slices'>;

/** A frame and the very bytes of it. */
export interface VisionFrame {
  readonly facts: FrameInfo;
  readonly jpeg: Uint8Array;
}

/** A frame as a page has grabbed it. */
export interface OfferedFrame {
  readonly jpeg: Uint8Array;
  /**
   * Where the page has made it as the model is to see it: the frame as 16 × 16 grey values, row by row. What is the same in two of
   * them has not moved.
   */
  readonly signature?: Uint8Array | undefined;
}

/** What became of a frame that was offered. */
export type FrameOutcome =
  | { readonly outcome: 'taken' }
  /** Sooner than the rate wants; nothing was done with it. */
  | { readonly outcome: 'early' }
  /** A newer one came while others were being worked on. */
  | { readonly outcome: 'replaced' }
  /** Nothing has moved since the last one that went. */
  | { readonly outcome: 'still' }
  /** Others are worth more: the memory has room for only so many. */
  | { readonly outcome: 'saved' }
  /** Vision is switched off, or no talk takes frames. */
  | { readonly outcome: 'closed' }
  /** It cannot be read; why is told on its own, once. */
  | { readonly outcome: 'refused' };
