import {
  TransmitGate,
  type TransmitMode,
} from '../../../../../electron/audio/capture/transmit-gate.ts';

export const rate = 16_000;

/** A gate with numbered (or constant) input, and its output. */
export function gateScene(
  mode: TransmitMode,
  sample: (index: number) => number = (index) => index,
) {
  const gate = new TransmitGate({ rate, mode });
  const out: number[] = [];
  let taken = 0;
  return {
    gate,
    out,
    get taken() {
      return taken;
    },
    /** Samples emitted beyond the input: the lead of the server’s time. */
    get ahead() {
      return out.length - taken;
    },
    /** Pushes one block of this length. */
    pushAudio: (length: number) => {
      const block = Float32Array.from({ length }, (_, n) => sample(taken + n + 1));
      taken += length;
      for (const part of gate.push(block)) out.push(...part);
      // Parts are valid only until the next push.
      block.fill(Number.NaN);
    },
  };
}

/** Consecutive numbers starting at `from`. */
export const counted = (from: number, length: number): number[] =>
  Array.from({ length }, (_, n) => from + n);
