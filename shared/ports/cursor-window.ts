/** The window with a picture of the whole screen, on which the user chooses a part. */
export interface RegionWindow {
  /** Creates the window, invisible, on the screen with the pointer. `onClosed` is called once if it closes by itself. */
  readonly open: (onClosed: () => void) => void;
  readonly show: () => void;
  readonly close: () => void;
}

/** The small window over other programs. */
export interface CursorWindow {
  /** Creates the window, hidden, so that it can be shown at once. */
  readonly prepare: () => void;
  /**
   * Shows the window at the size of a question or of a dictation. With `focus` it takes the keyboard; otherwise the other
   * program keeps it.
   */
  readonly show: (surface: 'ask' | 'dictate', focus: boolean) => void;
  readonly hide: () => void;
  /** The page calls this when it handles keys. Before that the window stays hidden, because keys would be lost. */
  readonly pageReady: () => void;
  readonly hasFocus: () => boolean;
}
