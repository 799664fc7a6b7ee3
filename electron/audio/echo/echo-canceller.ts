import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { AudioSettings } from '../../../shared/settings/audio-settings.ts';
import type { EchoState } from '../../../shared/talk/talk-stats.ts';

/** The length of a canceller's frame: 10 ms. */
export const echoBlockSamples = inputRate / 100;
/** The played sound that may still be heard in a block: 380 ms. */
export const echoMemorySamples = 38 * echoBlockSamples;

/** Whether a loudspeaker is heard by a microphone; nothing is known before it has played for a while. */
export type EchoFinding = Exclude<EchoState, 'off'>;

/** Where a microphone's sound comes from and what it may hear, by name, as far as that is known. */
export interface EchoDevices {
  readonly microphone: string | undefined;
  readonly speaker: string | undefined;
}

/** Takes out of one microphone's sound what the loudspeaker sends into it. Parley's own: `electron/audio/echo`. */
export interface EchoCanceller {
  /**
   * 10 ms at 16 kHz, and what was played at that time. Returns as many samples, which may be those of
   * the frame; both arguments are good until it returns.
   */
  process(frame: Float32Array, farEnd: Float32Array): Float32Array;
  readonly finding: EchoFinding;
  /** The last frame had somebody in it who is not what is played. */
  readonly hearsSomebody: boolean;
  /** It wants to be told what is played by this much sooner than it is heard: stamps of devices are not exact. */
  readonly aheadMs: number;
  /** Something is missing before the next frame; what was played in the time before that is this. */
  rejoin(played: Float32Array): void;
  /** Another device: what comes now has nothing to do with what came before. */
  reset(): void;
}

/** Makes one for a microphone that is opened. Where it fails, sound passes. */
export type OpenEchoCanceller = () => EchoCanceller;

interface Room {
  readonly devices: EchoDevices;
  readonly canceller: EchoCanceller;
}

/**
 * The room that was heard last, for as long as Parley runs: whoever opens the same microphone again need not learn it
 * anew, and a person is heard from the first word of an answer on. Where no echo was found nothing is kept: a loudspeaker
 * may have been plugged in since.
 */
export class KnownRoom {
  #room: Room | undefined;

  keep(devices: EchoDevices, canceller: EchoCanceller): void {
    if (devices.microphone === undefined || canceller.finding !== 'heard') return;
    this.#room = { devices, canceller };
  }

  /** It is the caller's then. */
  take({ microphone, speaker }: EchoDevices): EchoCanceller | undefined {
    const room = this.#room;
    if (room === undefined || room.devices.microphone !== microphone) return undefined;
    // A speaker that is not open yet is likely the same.
    if (speaker !== undefined && room.devices.speaker !== speaker) return undefined;
    this.#room = undefined;
    return room.canceller;
  }
}

/** As makers and systems name what is worn at the ears, in the languages that Parley speaks. */
const worn =
  /head-?(?:set|phone)|ear-?(?:phone|bud|pod)|air-?pods|\bbuds\b|hands-?free|耳机|耳麥|耳麦/iu;

/**
 * Whether an echo is looked for: as it is set, and without being told wherever no device is worn at the ears, as far as
 * names tell. Headphones without a telling name are found out by what they sound like.
 */
export function isEchoCancelled(
  mode: AudioSettings['echo'],
  { microphone, speaker }: EchoDevices,
): boolean {
  if (mode !== 'auto') return mode === 'on';
  return ![microphone, speaker].some((name) => name !== undefined && worn.test(name));
}
