import { outputRate } from '../../../shared/protocol/protocol-limits.ts';

const frame = outputRate / 100;
/** A pause is fainter than this part of the loudest so far, and than this at all. */
const silencePart = 0.06;
const minSpeechLevel = 0.001;
/** Silence counts for this part of speech: sound in which nothing is ever loud still has an order. */
const silenceCounts = 0.02;
/** Shorter ones stand within words, before a "t" or a "p". */
const minPause = 0.12 * outputRate;

/** How much of a turn's sound is speech, so that its words do not run on through its pauses. */
export class SpeechClock {
  /** Speech before the end of each frame, in samples. */
  readonly #spoken: number[] = [];
  readonly #resumes: number[] = [];
  #samples = 0;
  #power = 0;
  #loudest = 0;
  #silentFrames = 0;

  /** Samples of sound so far. */
  get samples(): number {
    return this.#samples;
  }

  /** Samples of it that are speech. */
  get spoken(): number {
    return this.#spoken.at(-1) ?? 0;
  }

  /** Where speech goes on after a pause, in samples of speech. */
  get resumes(): readonly number[] {
    return this.#resumes;
  }

  push(sound: Float32Array): void {
    for (let n = 0; n < sound.length; n += 1) {
      this.#power += (sound[n] ?? 0) ** 2;
      this.#samples += 1;
      if (this.#samples % frame === 0) this.#endFrame();
    }
  }

  /** How much speech there was before a sample. */
  spokenBefore(sample: number): number {
    return this.#spoken[Math.floor(sample / frame) - 1] ?? (sample < frame ? 0 : this.spoken);
  }

  /** The sample before which there was so much speech; nothing where there has not been so much yet. */
  sampleAfter(spoken: number): number | undefined {
    if (spoken <= 0) return 0;
    let low = 0;
    let high = this.#spoken.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#spoken[middle] ?? 0) < spoken) low = middle + 1;
      else high = middle;
    }
    if (low === this.#spoken.length) return undefined;
    const before = this.#spoken[low - 1] ?? 0;
    const within = (spoken - before) / ((this.#spoken[low] ?? 0) - before);
    return Math.round((low + within) * frame);
  }

  #endFrame(): void {
    const level = Math.sqrt(this.#power / frame);
    this.#power = 0;
    this.#loudest = Math.max(this.#loudest, level);
    const loud = level > Math.max(minSpeechLevel, silencePart * this.#loudest);
    if (loud && this.#silentFrames * frame >= minPause) this.#resumes.push(this.spoken);
    this.#silentFrames = loud ? 0 : this.#silentFrames + 1;
    this.#spoken.push(this.spoken + frame * (loud ? 1 : silenceCounts));
  }
}
