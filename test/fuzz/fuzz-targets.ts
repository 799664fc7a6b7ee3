import { soundEntryPoints } from '../hostile/entry-points/sound-entry-points.ts';
import { feed } from '../hostile/entry-point.ts';
import { textEntryPoints } from '../hostile/entry-points/text-entry-points.ts';

/** A fuzzed entry point, which takes bytes. */
export interface FuzzTarget {
  readonly name: string;
  readonly samples: readonly Uint8Array[];
  /** Any exception is a fault. */
  readonly run: (bytes: Uint8Array) => Promise<unknown>;
}

const [coder, decoder] = [new TextEncoder(), new TextDecoder()];

/** A target with a planted fault. Each correct letter of a word reaches a new block, so only a fuzzer guided by coverage finds it. */
export const plantedTarget: FuzzTarget = {
  name: 'a planted fault',
  samples: [new Uint8Array(3)],
  run: async (bytes) => {
    if (bytes[0] !== 0x77) return;
    if (bytes[1] !== 0x6f) return;
    if (bytes[2] === 0x72) throw new Error('The planted word was found.');
    await Promise.resolve();
  },
};

export const fuzzTargets: readonly FuzzTarget[] = [
  ...soundEntryPoints.map((entryPoint) => ({
    name: entryPoint.name,
    samples: entryPoint.samples,
    run: (bytes: Uint8Array) => feed(entryPoint, bytes),
  })),
  ...textEntryPoints.map((entryPoint) => ({
    name: entryPoint.name,
    samples: entryPoint.samples.map((text) => coder.encode(text)),
    run: (bytes: Uint8Array) => feed(entryPoint, decoder.decode(bytes)),
  })),
];

export const findFuzzTarget = (name: string): FuzzTarget | undefined =>
  [...fuzzTargets, plantedTarget].find((each) => each.name === name);

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
