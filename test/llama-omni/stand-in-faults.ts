/** Faults of the stand-in for `llama-omni-server`. Shares are from 0 to 1. Steps are the session's appends, counted from 1. */
export interface StandInFaults {
  /** Seed of the random numbers. */
  readonly seed?: number;
  /** Share of listens that are never sent, as in older builds. */
  readonly lostListens?: number;
  /** Share of steps whose last piece of text is never sent; a step of one piece then sends nothing. */
  readonly lostFragments?: number;
  /** Share of steps that listen and answer nothing, not even the end of a response. */
  readonly silentSteps?: number;
  /** How long after its text sound is sent; 300 to 1200 ms by default. */
  readonly lateSound?: { readonly ms: number; readonly jitterMs?: number };
  /** Share of responses with another step's number. */
  readonly wrongIds?: number;
  /** Crashes by a signal in this step of any session. Its files stay. */
  readonly crashAtStep?: number;
  /** Crashes by a signal while it loads. */
  readonly crashWhileLoading?: boolean;
  readonly loadMs?: number;
  /** Accepts connections, but never answers `session.init`. */
  readonly neverReady?: boolean;
  /** The disk of TMPDIR is full from this step of any session on. */
  readonly fullDiskAtStep?: number;
  /** Ignores SIGTERM, SIGINT and the close of a session. */
  readonly zombie?: boolean;
  /** Has no `/backend`, like an older build. */
  readonly olderBuild?: boolean;
  /** Rejects the options, like another program of this name. */
  readonly otherProgram?: boolean;
  /** Fails the first load, like a graphics card without free memory. */
  readonly outOfMemory?: boolean;
  /** Sends each answer twice. */
  readonly answersTwice?: boolean;
  readonly answersNothing?: boolean;
  /** Sends a message of 100 MB in this step. */
  readonly hugeMessageAtStep?: number;
  /** Duration of a step; 100 ms by default. */
  readonly stepMs?: number;
  /** Additional duration of a step with a picture. */
  readonly pictureMs?: number;
  /** Speaks even if appends come faster than real time. The real server then listens. */
  readonly takesAnyPace?: boolean;
}
