import { JitterBuffer } from '../../../../../electron/audio/playback/jitter-buffer.ts';
import type { ServerPace } from '../../../../../electron/audio/playback/server-pace.ts';
import type { AnswerStart } from '../../../../../shared/settings/app-settings.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSpeaker } from '../../../../fakes/fake-speaker.ts';

export const rate = 8000;
const toneHz = 200;

/** A jitter buffer in front of a fake speaker, with a simulated server. */
export class PlaybackHarness {
  readonly clock = new FakeClock();
  readonly speaker = new FakeSpeaker(this.clock, rate);
  /** Every sample reported as heard. */
  readonly heard: number[] = [];
  readonly playback;
  #at = 0;

  constructor(pace?: ServerPace, stepMs = 1000, starts?: AnswerStart) {
    this.playback = new JitterBuffer({
      rate,
      clock: this.clock,
      speaker: this.speaker,
      stepMs,
      pace,
      answerStart: () => starts,
      onHeard: (samples) => {
        for (const sample of samples) this.heard.push(sample);
      },
    });
  }

  /** A tone that continues from its last phase. */
  tone(ms: number): Float32Array {
    const length = Math.round((ms * rate) / 1000);
    const from = this.#at;
    this.#at += length;
    return Float32Array.from(
      { length },
      (_, n) => 0.5 * Math.sin((2 * Math.PI * toneHz * (from + n)) / rate),
    );
  }

  /** Advances time and the playback. */
  pass(ms: number): void {
    const end = this.clock.now() + ms;
    while (this.clock.now() < end) {
      this.clock.advance(Math.min(10, end - this.clock.now()));
      this.playback.advanceTo(this.clock.now());
    }
  }

  /** Plays one turn: sounds with their arrival times since its start. */
  turn(turn: number, steps: readonly { readonly at: number; readonly ms: number }[]): void {
    const began = this.clock.now();
    for (const { at, ms } of steps) {
      this.pass(Math.max(0, began + at - this.clock.now()));
      this.playback.write(this.tone(ms), turn);
    }
    this.playback.turnEnded(turn);
  }

  /** Lengths in milliseconds of the silences between sounds in the output, from the sample `since` on. */
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

  /** The largest difference between adjacent output samples. */
  largestStep(since = 0): number {
    let max = 0;
    for (let n = since + 1; n < this.speaker.output.length; n += 1) {
      const step = Math.abs((this.speaker.output[n] ?? 0) - (this.speaker.output[n - 1] ?? 0));
      max = Math.max(max, step);
    }
    return max;
  }
}

/** The largest difference between adjacent samples of the tone. */
export const toneStep = (0.5 * 2 * Math.PI * toneHz) / rate;
