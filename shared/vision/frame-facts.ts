/** What is known of a frame as it goes to the model. */
export interface FrameFacts {
  /** When it was prepared or sent, on the core's clock. */
  readonly at: number;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  /** Into how many slices it may be cut, as far as its size lets it. */
  readonly slices: number;
  /** An estimate, until the server's own figure comes with the step. */
  readonly tokens: number;
}

/** A frame and the very bytes of it. */
export interface ShownFrame {
  readonly facts: FrameFacts;
  readonly jpeg: Uint8Array;
}

/** What became of a frame that was offered. */
export type FrameFate =
  | { readonly fate: 'taken' }
  /** Sooner than the rate wants; nothing was done with it. */
  | { readonly fate: 'early' }
  /** A newer one came while others were being worked on. */
  | { readonly fate: 'replaced' }
  /** Nothing has moved since the last one that went. */
  | { readonly fate: 'still' }
  /** Seeing is switched off. */
  | { readonly fate: 'closed' }
  | { readonly fate: 'refused'; readonly problem: string };
