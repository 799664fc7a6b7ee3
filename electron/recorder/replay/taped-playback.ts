import type { PlaybackOptions } from '../../sound/playback/playback.ts';
import { TimelinePlayback } from '../../sound/playback/timeline-playback.ts';
import type { HeardTrack } from './heard-track.ts';

interface BegunTurn {
  readonly turn: number;
  /** Where it begins, in samples of the whole answer. */
  readonly from: number;
}

interface Deps {
  readonly track: HeardTrack;
  /** Milliseconds since the tape began. */
  readonly now: () => number;
}

/** A run may be this much ahead, so that no single sample of silence falls into it. */
const leadSamples = 4;

/** The speaker as it was when the tape was recorded: what was heard then is heard again, when it was. */
export class TapedPlayback extends TimelinePlayback {
  readonly #deps: Deps;
  readonly #turns: BegunTurn[] = [];
  readonly #slot: number;
  /** When the time line begins. */
  #zero: number | undefined;
  #sounding = false;

  constructor(options: PlaybackOptions, deps: Deps) {
    super(options);
    this.#deps = deps;
    this.#slot = options.rate / 1000;
  }

  override write(samples: Float32Array, turn: number): void {
    if (this.#turns.at(-1)?.turn !== turn)
      this.#turns.push({ turn, from: this.playhead + this.queued });
    super.write(samples, turn);
  }

  /** What was heard after the flush all the same, in the fade and on its way out, is kept. */
  override flush(): number {
    const begun = this.#newestHeard(this.#deps.now() + 1);
    const until = begun === undefined ? 0 : begun.from + this.#deps.track.reachOf(begun.turn);
    const kept = Math.min(this.queued, Math.max(0, until - this.playhead));
    this.buffer.send(kept);
    this.buffer.playedTo(this.buffer.heard + kept);
    return this.buffer.cut().answer;
  }

  override advanceTo(milliseconds: number): void {
    this.#zero ??= this.#deps.now() - milliseconds;
    const target = this.targetAt(milliseconds);
    while (this.position < target) {
      if (this.queued === 0) this.silence(target - this.position);
      else this.#advanceSlot(Math.min(this.#slot, target - this.position));
    }
  }

  #advanceSlot(length: number): void {
    const at = (this.#zero ?? 0) + ((this.position + length) * 1000) / this.options.rate;
    const begun = this.#newestHeard(at);
    const heard = begun === undefined ? 0 : begun.from + this.#deps.track.heardOf(begun.turn, at);
    const wanted = heard - this.playhead;
    const sound = Math.min(
      this.queued,
      wanted >= length - leadSamples ? length : Math.max(0, wanted),
    );
    const before = this.#sounding ? 0 : length - sound;
    this.silence(before);
    this.sound(sound);
    this.silence(length - sound - before);
    this.#sounding = sound > 0;
  }

  #newestHeard(at: number): BegunTurn | undefined {
    const index = this.#turns.findLastIndex(({ turn }) => this.#deps.track.heardOf(turn, at) > 0);
    if (index > 0) this.#turns.splice(0, index);
    return this.#turns[Math.min(index, 0)];
  }
}
