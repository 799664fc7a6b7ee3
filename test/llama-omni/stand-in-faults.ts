/** Faults of the stand-in. Shares are from 0 to 1; steps are the session's appends, counted from 1. */
export interface StandInFaults {
  /** Seed of everything that is random. */
  readonly seed?: number;
  /** Share of listens that are never sent, as in older builds. */
  readonly lostListens?: number;
  /** Share of steps whose last piece of text is never sent; a step of one piece then sends nothing. */
  readonly lostFragments?: number;
  /** Share of steps that listen and answer nothing, not even the end of a response. */
  readonly silentSteps?: number;
  /** How long sound follows its text; 300 to 1200 ms without it. */
  readonly lateSound?: { readonly ms: number; readonly jitterMs?: number };
  /** Share of responses with another step's number. */
  readonly wrongIds?: number;
  /** Dies by a signal in this step of any session; its files stay. */
  readonly crashAtStep?: number;
  /** Dies by a signal while it loads. */
  readonly crashWhileLoading?: boolean;
  readonly loadMs?: number;
  /** Listens, but never answers `session.init`. */
  readonly neverReady?: boolean;
  /** Says that the port is taken and exits with 1. */
  readonly portTaken?: boolean;
  /** The disk of TMPDIR is full from this step of any session on. */
  readonly fullDiskAtStep?: number;
  /** Ignores SIGTERM, SIGINT and the close of a session. */
  readonly zombie?: boolean;
  /** An older build: no `/backend`. */
  readonly olderBuild?: boolean;
  /** Another program, which knows no such options. */
  readonly otherProgram?: boolean;
  /** The card has no memory left at the first load. */
  readonly outOfMemory?: boolean;
  readonly answersTwice?: boolean;
  readonly answersNothing?: boolean;
  /** Sends a message of 100 MB in this step. */
  readonly hugeMessageAtStep?: number;
  /** Time of a step; 100 ms without it. */
  readonly stepMs?: number;
  /** Additional time of a step with a picture. */
  readonly pictureMs?: number;
  /** Speaks also if sound comes faster than real time, which the real server does not. */
  readonly takesAnyPace?: boolean;
}
