/** Remembers that a start is under way, over a crash of the process. */
export interface StartMarker {
  /** How many starts in a row have come to no end before this one, which is counted from now on. */
  readonly begin: () => number;
  /** This one has come to its end: Parley is open, or was closed in order. */
  readonly done: () => void;
}
