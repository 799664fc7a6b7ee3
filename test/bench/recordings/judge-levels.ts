import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { type LevelScene, loudnesses } from './noise-scenes.ts';
import { measureLevel, step, stepLevels } from './recorded-scenes.ts';

/** Results of a level control for soft and loud speakers: dB, and shares in percent. */
export interface LevelStats {
  /** Output level for each of `loudnesses`. */
  readonly came: readonly number[];
  readonly p10: number;
  readonly p90: number;
  readonly deviation: number;
  /** Gain changes between speech steps, after settling. */
  readonly pumping: number;
  readonly clipped: number;
}

/** Steps that a level control may take to settle. */
const settledSteps = (10 * inputRate) / step;
/** Distance in steps, within a word, over which the gain should not change. */
const apartSteps = 20;
const full = 0.999;

export class LevelJudge {
  readonly #levels: number[] = [];
  readonly #wanted: number[] = [];
  readonly #moves: number[] = [];
  #clipped = 0;
  #samples = 0;

  hear({ sound, speaks, wantedDb }: LevelScene, after: Float32Array): void {
    const isMeant = (at: number): boolean => at >= settledSteps && speaks[at] === true;
    this.#levels.push(measureLevel(after, isMeant));
    this.#wanted.push(wantedDb);
    this.#samples += after.length;
    this.#clipped += after.reduce((sum, sample) => sum + (Math.abs(sample) >= full ? 1 : 0), 0);
    const [one, other] = [stepLevels(sound), stepLevels(after)];
    const gains = one.map((level, at) => (other[at] ?? 0) - level);
    for (let at = settledSteps; at + apartSteps < gains.length; at += 1)
      if (isMeant(at) && isMeant(at + apartSteps))
        this.#moves.push(((gains[at + apartSteps] ?? 0) - (gains[at] ?? 0)) ** 2);
  }

  get stats(): LevelStats {
    const sorted = this.#levels.toSorted((one, other) => one - other);
    const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? NaN;
    const mean = meanOf(sorted);
    return {
      came: loudnesses.map((wanted) =>
        meanOf(this.#levels.filter((_, index) => this.#wanted[index] === wanted)),
      ),
      p10: at(0.1),
      p90: at(0.9),
      deviation: Math.sqrt(meanOf(sorted.map((level) => (level - mean) ** 2))),
      pumping: Math.sqrt(meanOf(this.#moves)),
      clipped: (100 * this.#clipped) / this.#samples,
    };
  }
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
