/** The input of a fuzzing thread. */
export interface FuzzTask {
  readonly name: string;
  readonly seed: number;
  readonly ms: number;
  /** The run stops after this many faults. */
  readonly maxFound: number;
  /** Inputs that reached new code in earlier runs. */
  readonly storedInputs: readonly Uint8Array[];
  /** URL prefix of the code whose coverage counts. */
  readonly urlPrefix: string;
  /** The number of executions, the length of the current input, and the input. After a hang, the parent reads the input here. */
  readonly shared: SharedArrayBuffer;
}

/** The result of a fuzzing thread. */
export interface FuzzReport {
  readonly executions: number;
  readonly rangeCount: number;
  /** Inputs that each ran a new block. */
  readonly corpus: readonly Uint8Array[];
  readonly found: readonly { readonly input: Uint8Array; readonly fault: string }[];
}

/** Bytes before the input in the shared buffer. */
export const sharedHeadBytes = 8;
export const maxInputBytes = 1_000_000;
