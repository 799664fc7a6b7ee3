import type { EchoCanceller, EchoDevices } from './echo-canceller.ts';

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
    if (devices.microphone === undefined || canceller.finding !== 'heard') {
      canceller.close();
      return;
    }
    this.#room?.canceller.close();
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

  close(): void {
    this.#room?.canceller.close();
    this.#room = undefined;
  }
}
