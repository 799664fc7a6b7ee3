/** The window with a picture of the whole screen, on which the user chooses a part. */
export interface RegionWindow {
  /** Makes it, invisible, on the screen with the pointer. Calls back once if it closes by itself. */
  readonly open: (closed: () => void) => void;
  readonly show: () => void;
  readonly close: () => void;
}

/** The small window over other programs. */
export interface CursorWindow {
  /** Makes it, hidden, before it is wanted. */
  readonly prepare: () => void;
  /**
   * Shows it at the size of a question or of a dictation. `focus` only if the user wants to type; otherwise the focus
   * stays in the other program.
   */
  readonly show: (surface: 'ask' | 'dictate', focus: boolean) => void;
  readonly hide: () => void;
  /** The page hears keys. Before that the window stays hidden, because keys would be lost. */
  readonly pageReady: () => void;
  readonly hasFocus: () => boolean;
}
