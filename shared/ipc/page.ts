/** Who asks: a page that can go away. What only it wanted stops then. */
export interface Page {
  /**
   * Runs once when the page goes, at once where it has gone already, unless the returned function is
   * called before.
   */
  readonly whenGone: (run: () => void) => () => void;
  /** Whether the person has just used it, by mouse, key or touch. Where the host cannot tell, it is believed. */
  readonly usedJustNow: () => boolean;
}

/** For who asks without a page: the tray, a key, a test. */
export const noPage: Page = { whenGone: () => () => undefined, usedJustNow: () => true };
