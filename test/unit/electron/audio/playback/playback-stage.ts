import { JitterBuffer } from '../../../../../electron/audio/playback/jitter-buffer.ts';
import type { ServerPace } from '../../../../../electron/audio/playback/server-pace.ts';
import type { AnswerStart } from '../../../../../shared/settings/talking-settings.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSpeaker } from '../../../../fakes/fake-speaker.ts';

export const rate = 8000;
const toneHz = 200;

/** Adaptive playback in front of a fake speaker, and what a server would send it. */
export class PlaybackStage {
  readonly clock = new FakeClock();
  readonly speaker = new FakeSpeaker(this.clock, rate);
  readonly file: number[] = [];
  readonly playback;
  #at = 0;

  constructor(pace?: ServerPace, stepMs = 1000, starts?: AnswerStart) {
    this.playback = new JitterBuffer({
      rate,
      clock: this.clock,
      speaker: this.speaker,
      stepMs,
      pace,
      starts: () => starts,
      heard: (samples) => {
        for (const sample of samples) this.file.push(sample);
      },
    });
  }

  /** A tone that goes on from where it was left off. */
  tone(ms: number): Float32Array {
    const length = Math.round((ms * rate) / 1000);
    const from = this.#at;
    this.#at += length;
    return Float32Array.from(
      { length },
      (_, n) => 0.5 * Math.sin((2 * Math.PI * toneHz * (from + n)) / rate),
    );
  }

  /** Lets time pass, as whoever holds a playback does. */
  pass(ms: number): void {
    const end = this.clock.now() + ms;
    while (this.clock.now() < end) {
      this.clock.advance(Math.min(10, end - this.clock.now()));
      this.playback.advanceTo(this.clock.now());
    }
  }

  /** One turn: sounds with the times at which they come, counted from its beginning. */
  turn(turn: number, steps: readonly { readonly at: number; readonly ms: number }[]): void {
    const began = this.clock.now();
    for (const { at, ms } of steps) {
      this.pass(Math.max(0, began + at - this.clock.now()));
      this.playback.write(this.tone(ms), turn);
    }
    this.playback.turnEnded(turn);
  }

  /** Milliseconds in which nothing was to be heard, between the first sound since and the last. */
  silences(since: number): readonly number[] {
    const { output } = this.speaker;
    const loud = (sample: number): boolean => Math.abs(sample) > 0.02;
    const first = output.findIndex((sample, n) => n >= since && loud(sample));
    const last = output.findLastIndex(loud);
    const found: number[] = [];
    let silent = 0;
    for (let n = first; n >= 0 && n <= last; n += 1) {
      if (loud(output[n] ?? 0)) {
        if (silent > rate / 500) found.push((silent * 1000) / rate);
        silent = 0;
      } else silent += 1;
    }
    return found;
  }

  /** The largest step from one sample to the next, in what came out. */
  largestStep(since = 0): number {
    let max = 0;
    for (let n = since + 1; n < this.speaker.output.length; n += 1) {
      const step = Math.abs((this.speaker.output[n] ?? 0) - (this.speaker.output[n - 1] ?? 0));
      max = Math.max(max, step);
    }
    return max;
  }
}

/** What the tone itself does from one sample to the next. */
export const toneStep = (0.5 * 2 * Math.PI * toneHz) / rate;
