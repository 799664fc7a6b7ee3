import {
  TransmitGate,
  type TransmitMode,
} from '../../../../../electron/audio/capture/transmit-gate.ts';

export const rate = 16_000;

/** A gate, its input numbered from 1 (or constant), and everything that came out. */
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
    /** Samples handed out beyond those taken in: how far the server's time is ahead of ours. */
    get ahead() {
      return out.length - taken;
    },
    /** So many samples more, in one block. */
    pushAudio: (length: number) => {
      const block = Float32Array.from({ length }, (_, n) => sample(taken + n + 1));
      taken += length;
      for (const part of gate.push(block)) out.push(...part);
      // The parts are good until the next push, and what was pushed until now.
      block.fill(Number.NaN);
    },
  };
}

/** So many numbers from one on. */
export const counted = (from: number, length: number): number[] =>
  Array.from({ length }, (_, n) => from + n);
