import { type Clock, repeatEvery } from '../../../shared/ports/clock.ts';
import type { PlayoutSink } from './speaker.ts';

/** −12 dB: quiet enough to speak over, loud enough to follow. */
const duckedGain = 0.25;
const stepMs = 5;
const steps = 8;

/** Lowers the volume within 40 ms and raises it again, in steps that the device smooths. */
export class Ducking {
  readonly #clock: Clock;
  readonly #speaker: Pick<PlayoutSink, 'setDuckGain'>;
  #gain = 1;
  #target = 1;
  #stop: () => void = () => undefined;

  constructor(clock: Clock, speaker: Pick<PlayoutSink, 'setDuckGain'>) {
    this.#clock = clock;
    this.#speaker = speaker;
  }

  /** Reaches the new volume at once if `isSilent`, because nothing plays then. */
  set(isDucked: boolean, isSilent = false): void {
    const target = isDucked ? duckedGain : 1;
    if (target === this.#target && !(isSilent && this.#gain !== target)) return;
    this.#target = target;
    this.#stop();
    if (isSilent) this.#gain = target;
    if (this.#stepGain() !== 'done')
      this.#stop = repeatEvery(this.#clock, stepMs, () => this.#stepGain());
  }

  #stepGain(): 'done' | undefined {
    const step = (1 - duckedGain) / steps;
    const distance = this.#target - this.#gain;
    this.#gain =
      Math.abs(distance) <= step ? this.#target : this.#gain + Math.sign(distance) * step;
    this.#speaker.setDuckGain(this.#gain);
    return this.#gain === this.#target ? 'done' : undefined;
  }
}
