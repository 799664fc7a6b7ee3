import { emitSilence } from '../../sound/dsp/samples.ts';
import { PlayoutBuffer } from '../../sound/playback/playout-buffer.ts';
import type { Playback, PlaybackOptions } from '../../sound/playback/playback.ts';
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
export class TapedPlayback implements Playback {
  readonly #options: PlaybackOptions;
  readonly #deps: Deps;
  readonly #buffer = new PlayoutBuffer();
  readonly #turns: BegunTurn[] = [];
  readonly #slot: number;
  /** When the time line begins. */
  #zero: number | undefined;
  #position = 0;
  #sounding = false;

  constructor(options: PlaybackOptions, deps: Deps) {
    this.#options = options;
    this.#deps = deps;
    this.#slot = options.rate / 1000;
    this.#buffer.listen(options.heard);
  }

  get queued(): number {
    return this.#buffer.queued;
  }

  get drained(): boolean {
    return this.#buffer.queued === 0;
  }

  get playhead(): number {
    return this.#buffer.playhead;
  }

  write(samples: Float32Array, turn: number): void {
    if (this.#turns.at(-1)?.turn !== turn)
      this.#turns.push({ turn, from: this.playhead + this.queued });
    this.#buffer.write(samples, turn);
  }

  turnEnded(): void {
    // The tape knows when its end was heard.
  }

  setDucked(): void {
    // Lowered for a moment: what was said stays what was said.
  }

  /** What was heard after the flush all the same, in the fade and on its way out, is kept. */
  flush(): number {
    const begun = this.#newestHeard(this.#deps.now() + 1);
    const until = begun === undefined ? 0 : begun.from + this.#deps.track.reachOf(begun.turn);
    const kept = Math.min(this.queued, Math.max(0, until - this.playhead));
    this.#buffer.send(kept);
    this.#buffer.playedTo(this.#buffer.heard + kept);
    return this.#buffer.cut().answer;
  }

  advanceTo(milliseconds: number): void {
    this.#zero ??= this.#deps.now() - milliseconds;
    const target = Math.max(this.#position, Math.round((milliseconds * this.#options.rate) / 1000));
    while (this.#position < target) {
      if (this.queued === 0) this.#silence(target - this.#position);
      else this.#advanceSlot(Math.min(this.#slot, target - this.#position));
    }
  }

  reachOf(turn: number): number {
    return this.#buffer.reachOf(turn);
  }

  stats(): undefined {
    return undefined;
  }

  pace(): undefined {
    return undefined;
  }

  #advanceSlot(length: number): void {
    const at = (this.#zero ?? 0) + ((this.#position + length) * 1000) / this.#options.rate;
    const begun = this.#newestHeard(at);
    const heard = begun === undefined ? 0 : begun.from + this.#deps.track.heardOf(begun.turn, at);
    const wanted = heard - this.playhead;
    const sound = Math.min(
      this.queued,
      wanted >= length - leadSamples ? length : Math.max(0, wanted),
    );
    const before = this.#sounding ? 0 : length - sound;
    this.#silence(before);
    this.#sound(sound);
    this.#silence(length - sound - before);
    this.#sounding = sound > 0;
  }

  #silence(samples: number): void {
    emitSilence(samples, this.#options.heard);
    this.#position += samples;
  }

  #sound(samples: number): void {
    const until = this.#buffer.heard + samples;
    this.#buffer.send(samples);
    this.#buffer.playedTo(until);
    this.#buffer.heardTo(until);
    this.#position += samples;
  }

  #newestHeard(at: number): BegunTurn | undefined {
    const index = this.#turns.findLastIndex(({ turn }) => this.#deps.track.heardOf(turn, at) > 0);
    if (index > 0) this.#turns.splice(0, index);
    return this.#turns[Math.min(index, 0)];
  }
}
