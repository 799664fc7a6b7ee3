/** A frame of 10 ms at 24 kHz. */
const frameSamples = 240;
/** Synthetic speech has hardly any noise: below this it pauses. */
const pauseRms = 0.01;

/** How much of a piece of sound is voice rather than pause, up to each of its places. */
export class VoicedTime {
  readonly samples: number;
  /** Voiced frames before each frame, and of all at the end. */
  readonly #before: Uint32Array;

  constructor(sound: Float32Array) {
    this.samples = sound.length;
    const frames = Math.ceil(sound.length / frameSamples);
    this.#before = new Uint32Array(frames + 1);
    for (let frame = 0; frame < frames; frame += 1) {
      const voiced = isVoiced(sound, frame * frameSamples) ? 1 : 0;
      this.#before[frame + 1] = (this.#before[frame] ?? 0) + voiced;
    }
  }

  /** Samples of voice in all. */
  get voiced(): number {
    return (this.#before.at(-1) ?? 0) * frameSamples;
  }

  /** Samples of voice before a place. */
  voicedBefore(sample: number): number {
    const frame = Math.min(this.#before.length - 1, Math.max(0, sample / frameSamples));
    const whole = Math.floor(frame);
    const here = this.#before[whole] ?? 0;
    const next = this.#before[whole + 1] ?? here;
    return (here + (next - here) * (frame - whole)) * frameSamples;
  }
}

function isVoiced(sound: Float32Array, from: number): boolean {
  const until = Math.min(sound.length, from + frameSamples);
  let power = 0;
  for (let n = from; n < until; n += 1) {
    const sample = sound[n] ?? 0;
    power += sample * sample;
  }
  return power >= pauseRms * pauseRms * (until - from);
}
