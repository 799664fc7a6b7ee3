import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { AudioSettings } from '../../../shared/settings/audio-settings.ts';
import type { EchoState } from '../../../shared/talk/talk-stats.ts';

/** Samples of a canceller's frame: 10 ms. */
export const echoBlockSamples = inputRate / 100;
/** Samples of playback whose echo a frame may contain: 380 ms. */
export const echoMemorySamples = 38 * echoBlockSamples;

/** Whether the microphone hears the speaker; unknown until something has played for a while. */
export type EchoFinding = Exclude<EchoState, 'off'>;

/** Device names of microphone and speaker, as far as known. */
export interface EchoDevices {
  readonly microphone: string | undefined;
  readonly speaker: string | undefined;
}

/** Removes the speaker's echo from one microphone's sound. */
export interface EchoCanceller {
  /**
   * Takes a frame of 10 ms at 16 kHz, and the far end from a point `leadMs` after the frame's start. Returns as many
   * samples as the frame has, possibly in `frame` itself. Both arguments are valid only during the call.
   */
  process(frame: Float32Array, farEnd: Float32Array): Float32Array;
  readonly finding: EchoFinding;
  /** Probability of near-end speech in the last frame; undefined while sound passes unchanged. */
  readonly nearEndPresence: number | undefined;
  /** How far ahead of the frame the far end is read, because device timestamps are inexact. */
  readonly leadMs: number;
  /** How much later than its input the output is. */
  readonly delayMs: number;
  /** Continues after a gap; `played` is the far end before the next frame. */
  resume(played: Float32Array): void;
  /** Prepares for another device: discards all state. */
  reset(): void;
}

/** Creates a canceller for a microphone; if it throws, sound passes unchanged. */
export type OpenEchoCanceller = () => EchoCanceller;

interface Room {
  readonly devices: EchoDevices;
  readonly canceller: EchoCanceller;
}

/**
 * Keeps the canceller of the last room while Parley runs, so reopening the same microphone skips the learning
 * and barge-in works from an answer's first word. A room without echo is not kept, because a speaker may have
 * been plugged in since.
 */
export class CancellerCache {
  #room: Room | undefined;

  put(devices: EchoDevices, canceller: EchoCanceller): void {
    if (devices.microphone === undefined || canceller.finding !== 'heard') return;
    this.#room = { devices, canceller };
  }

  take({ microphone, speaker }: EchoDevices): EchoCanceller | undefined {
    const room = this.#room;
    if (room === undefined || room.devices.microphone !== microphone) return undefined;
    // A speaker that is not open yet is probably the same as before.
    if (speaker !== undefined && room.devices.speaker !== speaker) return undefined;
    this.#room = undefined;
    return room.canceller;
  }
}

/** Names of headphones and headsets, in the languages that Parley speaks. */
const headphoneNames =
  /head-?(?:set|phone)|ear-?(?:phone|bud|pod)|air-?pods|\bbuds\b|hands-?free|耳机|耳麥|耳麦/iu;

/**
 * Whether to cancel echo. `auto` does so unless a device name indicates headphones; other headphones are
 * detected by the absence of echo.
 */
export function isEchoCancelled(
  mode: AudioSettings['echo'],
  { microphone, speaker }: EchoDevices,
): boolean {
  if (mode !== 'auto') return mode === 'on';
  return ![microphone, speaker].some((name) => name !== undefined && headphoneNames.test(name));
}
