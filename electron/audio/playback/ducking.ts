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
  #goal = 1;
  #stop: () => void = () => undefined;

  constructor(clock: Clock, speaker: Pick<PlayoutSink, 'setDuckGain'>) {
    this.#clock = clock;
    this.#speaker = speaker;
  }

  /** With `silent`, jumps to the goal because nothing plays. */
  to(ducked: boolean, silent = false): void {
    const goal = ducked ? duckedGain : 1;
    if (goal === this.#goal && !(silent && this.#gain !== goal)) return;
    this.#goal = goal;
    this.#stop();
    if (silent) this.#gain = goal;
    if (this.#move() !== 'done') this.#stop = repeatEvery(this.#clock, stepMs, () => this.#move());
  }

  #move(): 'done' | undefined {
    const step = (1 - duckedGain) / steps;
    const distance = this.#goal - this.#gain;
    this.#gain = Math.abs(distance) <= step ? this.#goal : this.#gain + Math.sign(distance) * step;
    this.#speaker.setDuckGain(this.#gain);
    return this.#gain === this.#goal ? 'done' : undefined;
  }
}
