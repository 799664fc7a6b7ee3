import type { EchoState } from '../../../shared/talk/talk-latency.ts';
import { inputRate } from '../../../shared/protocol/protocol-limits.ts';

/** What a canceller gets at a time: 10 ms. */
export const echoBlockSamples = inputRate / 100;
/** What was played before a block and may still be heard in it: 380 ms. */
export const echoMemorySamples = 38 * echoBlockSamples;

/** Whether a loudspeaker is heard by a microphone; nothing is known before it has played for a while. */
export type EchoFinding = Exclude<EchoState, 'off'>;

/** Where a microphone's sound comes from and what it may hear, by name, as far as that is known. */
export interface EchoDevices {
  readonly microphone: string | undefined;
  readonly speaker: string | undefined;
}

/** Takes out of one microphone's sound what the loudspeaker sends into it. Parley's own: `electron/sound/echo`. */
export interface EchoCanceller {
  /**
   * 10 ms at 16 kHz, and what was played at that time. Returns as many samples, which may be those of
   * the frame; both arguments are good until it returns.
   */
  process(frame: Float32Array, farEnd: Float32Array): Float32Array;
  readonly finding: EchoFinding;
  /** The last frame had somebody in it who is not what is played. */
  readonly hearsSomebody: boolean;
  /** So much sooner than it is heard it wants to be told what is played: stamps of devices are not exact. */
  readonly aheadMs: number;
  /** Something is missing before the next frame; what was played in the time before that is this. */
  rejoin(played: Float32Array): void;
  /** Another device: what comes now has nothing to do with what came before. */
  reset(): void;
  close(): void;
}

/** Makes one for a microphone that is opened. Until it is there, and where it fails, sound passes. */
export type OpenEchoCanceller = () => EchoCanceller | Promise<EchoCanceller>;
