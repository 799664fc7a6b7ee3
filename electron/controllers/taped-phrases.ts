import { inputRate, outputRate } from '../../shared/protocol/protocol-limits.ts';
import { PhraseCutter } from '../recorder/own-words/phrase-cutter.ts';
import type { CutPhrase } from '../recorder/own-words/phrase-cutter.ts';
import type { Clock } from '../ports/clock.ts';
import type { Tape } from '../recorder/recording/tape.ts';
import type { Film } from '../recorder/replay/film.ts';
import { eventsOf } from '../recorder/replay/tape-lines.ts';
import { VoiceModel } from '../sound/detection/voice-model.ts';
import { SincResampler } from '../sound/dsp/sinc-resampler.ts';

/** From one time to another, in milliseconds since the tape began. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

const secondMs = 1000;
const piece = inputRate / 50;
const pieceMs = 20;

/** What the person says on a tape, a few phrases at a time: times are those of the tape. */
export class TapedPhrases {
  readonly #film: Pick<Film, 'microphone' | 'turns' | 'lengthMs'>;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #spokenOver: readonly Stretch[];
  readonly #resampler = new SincResampler(outputRate, inputRate);
  readonly #cutter = new PhraseCutter((phrase) => {
    this.#found.push(phrase);
  });
  readonly #voice = new VoiceModel();
  readonly #found: CutPhrase[] = [];
  #atMs = 0;

  constructor(
    film: Pick<Film, 'microphone' | 'turns' | 'lengthMs'>,
    tape: Pick<Tape, 'lines'>,
    clock: Pick<Clock, 'after'>,
  ) {
    this.#film = film;
    this.#clock = clock;
    this.#spokenOver = spokenOver(tape);
  }

  /** So many at least, unless there are no more; others have their turn meanwhile. */
  async next(count: number): Promise<readonly CutPhrase[]> {
    while (this.#found.length < count && this.#atMs < this.#film.lengthMs) {
      this.#second();
      if (this.#atMs >= this.#film.lengthMs) this.#cutter.finish();
      await new Promise<void>((resolve) => this.#clock.after(0, resolve));
    }
    return this.#found.splice(0);
  }

  #second(): void {
    const sound = new Float32Array(outputRate);
    this.#film.microphone.addTo(sound, (this.#atMs / secondMs) * outputRate);
    const samples = this.#resampler.convert(sound);
    for (let from = 0, ms = this.#atMs; from < samples.length; from += piece, ms += pieceMs) {
      const part = samples.subarray(from, from + piece);
      this.#voice.push(part);
      this.#cutter.push(part, ms + pieceMs, this.#isPersons(ms), this.#voice.likelihood);
    }
    this.#atMs += secondMs;
  }

  /** While an answer was heard, only what spoke over it. */
  #isPersons(at: number): boolean {
    return !isIn(this.#film.turns, at) || isIn(this.#spokenOver, at);
  }
}

function isIn(stretches: readonly Stretch[], at: number): boolean {
  return stretches.some(({ from, to }) => from <= at && at < to);
}

/** When somebody spoke over an answer, as was judged then. */
function spokenOver({ lines }: Pick<Tape, 'lines'>): readonly Stretch[] {
  const found: Stretch[] = [];
  let from: number | undefined;
  for (const { at, event } of eventsOf(lines)) {
    if (event?.kind !== 'bargeIn') continue;
    if (event.does === 'restore' && from !== undefined) found.push({ from, to: at });
    from = event.does === 'restore' ? undefined : (from ?? at);
  }
  return from === undefined ? found : [...found, { from, to: Infinity }];
}
