import { inputRate, outputRate } from '../../../shared/protocol/protocol-limits.ts';
import { SincResampler } from '../../sound/dsp/sinc-resampler.ts';
import type { Film } from './film.ts';

/** Chunks whose places differ by less follow each other. */
const jitterSamples = inputRate / 10;

/** The person's voice, put to where it was said: a chunk was captured before it went out. */
export class FilmMicrophone {
  readonly #film: Pick<Film, 'microphone' | 'yourLevels'>;
  readonly #resampler = new SincResampler(inputRate, outputRate);
  #end = 0;
  /** Where what comes out of the resampler goes. */
  #place = 0;

  constructor(film: Pick<Film, 'microphone' | 'yourLevels'>) {
    this.#film = film;
  }

  sent(now: number, chunk: Float32Array): void {
    const captured = Math.max(0, Math.round((now * inputRate) / 1000) - chunk.length);
    const joins = Math.abs(captured - this.#end) < jitterSamples;
    const at = joins ? this.#end : Math.max(captured, this.#end);
    if (!joins) {
      this.#resampler.restart();
      this.#place = Math.round((at * outputRate) / inputRate);
    }
    const sound = this.#resampler.convert(chunk);
    this.#film.microphone.put(this.#place, sound);
    this.#place += sound.length;
    this.#film.yourLevels.put(at, chunk);
    this.#end = at + chunk.length;
  }
}
