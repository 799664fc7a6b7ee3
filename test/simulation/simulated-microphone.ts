import type {
  CaptureListener,
  MicrophoneStream,
  SoundDevice,
} from '../../electron/audio/devices/sound-driver.ts';
import type { Clock } from '../../shared/ports/clock.ts';

const blockMs = 20;
const latencyMs = 20;
/** A real driver waits this long before it calls a silent device dead. */
const silentMs = 500;

interface Deps {
  readonly clock: Clock;
  readonly room: { readonly loudness: () => number };
}

/** Captures the room in blocks of 20 ms while its device exists. */
export class SimulatedMicrophone implements MicrophoneStream {
  readonly device: SoundDevice;
  readonly rate: number;
  readonly #clock: Clock;
  readonly #closed: () => void;
  #captured = 0;
  #diedAt: number | undefined;
  #open = true;
  #stop: () => void = () => undefined;

  constructor(
    { clock, room }: Deps,
    device: SoundDevice,
    { rate, listener }: { readonly rate: number; readonly listener: CaptureListener },
    closed: () => void,
  ) {
    this.device = device;
    this.rate = rate;
    this.#clock = clock;
    this.#closed = closed;
    const block = (rate * blockMs) / 1000;
    let [same, loudness] = [new Float32Array(block), 0];
    const goOn = (): void => {
      this.#stop = clock.after(blockMs, () => {
        goOn();
        this.#captured += block;
        const now = room.loudness();
        if (now !== loudness) [same, loudness] = [new Float32Array(block).fill(now), now];
        // The listener owns its block; copying one is four times as fast as filling it.
        listener.captured(same.slice(), clock.now() - latencyMs - blockMs);
      });
    };
    goOn();
  }

  readonly stats: MicrophoneStream['stats'] = () => ({
    alive:
      this.#open && (this.#diedAt === undefined || this.#clock.now() - this.#diedAt < silentMs),
    captured: this.#captured,
    lost: 0,
    repaired: 0,
    latencyMs,
  });

  readonly close = (): Promise<void> => {
    if (this.#open) this.#closed();
    this.#open = false;
    this.#stop();
    return Promise.resolve();
  };

  die(): void {
    this.#diedAt ??= this.#clock.now();
    this.#stop();
  }
}
