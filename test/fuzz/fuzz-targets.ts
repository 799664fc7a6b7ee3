import { soundInlets } from '../hostile/inlets/sound-inlets.ts';
import { pass } from '../hostile/inlet.ts';
import { textInlets } from '../hostile/text-inlets.ts';

/** A fuzzed entry point, which takes bytes. */
export interface FuzzTarget {
  readonly name: string;
  readonly samples: readonly Uint8Array[];
  /** Any exception is a fault. */
  readonly run: (bytes: Uint8Array) => Promise<unknown>;
}

const [coder, decoder] = [new TextEncoder(), new TextDecoder()];

/** A target with a planted fault. Each right letter of a word reaches a new block, so only a fuzzer guided by coverage finds it. */
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
  ...soundInlets.map((inlet) => ({
    name: inlet.name,
    samples: inlet.samples,
    run: (bytes: Uint8Array) => pass(inlet, bytes),
  })),
  ...textInlets.map((inlet) => ({
    name: inlet.name,
    samples: inlet.samples.map((text) => coder.encode(text)),
    run: (bytes: Uint8Array) => pass(inlet, decoder.decode(bytes)),
  })),
];

export const findFuzzTarget = (name: string): FuzzTarget | undefined =>
  [...fuzzTargets, plantedTarget].find((each) => each.name === name);
