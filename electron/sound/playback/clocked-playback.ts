import type { Playback, PlaybackOptions } from './playback.ts';
import { emitSilence } from '../dsp/samples.ts';
import { PlayoutBuffer } from './playout-buffer.ts';

/** A loudspeaker without one: what a person would have heard, on the session's own time line. */
export class ClockedPlayback implements Playback {
  readonly #options: PlaybackOptions;
  readonly #buffer = new PlayoutBuffer();
  #position = 0;

  constructor(options: PlaybackOptions) {
    this.#options = options;
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
    this.#buffer.write(samples, turn);
  }

  turnEnded(): void {
    // The clock waits for nothing.
  }

  setDucked(): void {
    // A file is not spoken over.
  }

  flush(): number {
    return this.#buffer.cut().answer;
  }

  advanceTo(milliseconds: number): void {
    const { rate, heard } = this.#options;
    const target = Math.max(this.#position, Math.round((milliseconds * rate) / 1000));
    const buffer = this.#buffer;
    const sound = Math.min(target - this.#position, buffer.waiting);
    const until = buffer.heard + sound;
    buffer.send(sound);
    buffer.playedTo(until);
    buffer.heardTo(until);
    emitSilence(target - this.#position - sound, heard);
    this.#position = target;
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
}
