import { inputRate } from '../../../shared/protocol/protocol-limits.ts';

/** What a canceller gets at a time: 10 ms. */
export const echoBlockSamples = inputRate / 100;

/** Takes out of one microphone's sound what the loudspeaker sends into it. None ships. */
export interface EchoCanceller {
  /**
   * 10 ms at 16 kHz, and what was played at that time. Returns as many samples, which may be those of
   * the frame; both arguments are good until it returns.
   */
  process(frame: Float32Array, farEnd: Float32Array): Float32Array;
  /** What comes now does not go on from what came before: another device, or a gap. */
  reset(): void;
  close(): void;
}

/** Makes one for a microphone that is opened. Until it is there, and where it fails, sound passes. */
export type OpenEchoCanceller = () => EchoCanceller | Promise<EchoCanceller>;
