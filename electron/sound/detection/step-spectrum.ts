import { powerSpectrum } from '../dsp/power-spectrum.ts';
import { emptyHalfSpectrum, RealFft } from '../dsp/real-fft.ts';

const size = 512;

/** The power of each bin in the last 32 ms; worked out only when asked for. */
export class StepSpectrum {
  readonly #power = new Float32Array(size / 2 + 1);
  readonly #heard = new Float32Array(size);
  readonly #work = new Float32Array(size);
  readonly #fft = new RealFft(size);
  readonly #spectrum = emptyHalfSpectrum(size);
  readonly #shape = Float32Array.from(
    { length: size },
    (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (n + 0.5)) / size),
  );
  #isKnown = true;

  get power(): Float32Array {
    if (this.#isKnown) return this.#power;
    this.#isKnown = true;
    for (let n = 0; n < size; n += 1) this.#work[n] = (this.#heard[n] ?? 0) * (this.#shape[n] ?? 0);
    this.#fft.forward(this.#work, this.#spectrum);
    powerSpectrum(this.#spectrum, this.#power);
    return this.#power;
  }

  push(step: Float32Array): void {
    this.#heard.copyWithin(0, step.length);
    this.#heard.set(step, size - step.length);
    this.#isKnown = false;
  }

  reset(): void {
    this.#heard.fill(0);
    this.#power.fill(0);
    this.#isKnown = true;
  }
}
