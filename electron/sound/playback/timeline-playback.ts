import type { Playback, PlaybackOptions } from './playback.ts';
import { emitSilence } from '../dsp/samples.ts';
import { PlayoutBuffer } from './playout-buffer.ts';

/** A loudspeaker without one: whoever extends it says what is heard as its time line goes on. */
export abstract class TimelinePlayback implements Playback {
  protected readonly options: PlaybackOptions;
  protected readonly buffer = new PlayoutBuffer();
  protected position = 0;

  constructor(options: PlaybackOptions) {
    this.options = options;
    this.buffer.listen(options.heard);
  }

  get queued(): number {
    return this.buffer.queued;
  }

  get drained(): boolean {
    return this.buffer.queued === 0;
  }

  get playhead(): number {
    return this.buffer.playhead;
  }

  abstract flush(): number;
  abstract advanceTo(milliseconds: number): void;

  write(samples: Float32Array, turn: number): void {
    this.buffer.write(samples, turn);
  }

  turnEnded(): void {
    // A time line waits for nothing: it ends where its sound does.
  }

  setDucked(): void {
    // Lowered or not: what was said stays what was said.
  }

  reachOf(turn: number): number {
    return this.buffer.reachOf(turn);
  }

  stats(): undefined {
    return undefined;
  }

  pace(): undefined {
    return undefined;
  }

  protected targetAt(milliseconds: number): number {
    return Math.max(this.position, Math.round((milliseconds * this.options.rate) / 1000));
  }

  protected silence(samples: number): void {
    emitSilence(samples, this.options.heard);
    this.position += samples;
  }

  protected sound(samples: number): void {
    const until = this.buffer.heard + samples;
    this.buffer.send(samples);
    this.buffer.playedTo(until);
    this.buffer.heardTo(until);
    this.position += samples;
  }
}
