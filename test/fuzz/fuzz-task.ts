/** What a fuzzing thread is told, and what it tells. */
export interface FuzzTask {
  readonly name: string;
  readonly seed: number;
  readonly ms: number;
  /** So many faults are enough. */
  readonly mostFound: number;
  /** What found something new in other runs. */
  readonly kept: readonly Uint8Array[];
  /** Where the code lies that is counted. */
  readonly below: string;
  /** How many were tried, how long the last one is, and that one: for who finds the thread hanging. */
  readonly shared: SharedArrayBuffer;
}

export interface FuzzReport {
  readonly executions: number;
  readonly stretches: number;
  /** Each has run a block that none before it had. */
  readonly corpus: readonly Uint8Array[];
  readonly found: readonly { readonly input: Uint8Array; readonly fault: string }[];
}

/** Before the input in what is shared. */
export const sharedHeadBytes = 8;
/** No input is longer. */
export const maxInputBytes = 1_000_000;
