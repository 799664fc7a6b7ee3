import type { AudioSettings } from '../../shared/settings/groups.ts';
import type { SoundNews } from '../audio/keep-stream.ts';
import type { Speaker } from '../audio/speaker.ts';
import type { AnswerSpeaker } from '../conversation/answer-playback.ts';
import type { Clock } from '../ports/clock.ts';
import { isSameDevice } from './same-device.ts';
import type { SoundOpeners } from './talk-devices.ts';

interface Needs extends Pick<SoundOpeners, 'openSpeaker'> {
  readonly clock: Clock;
  readonly tell: (news: SoundNews) => void;
}

/** So long after the last sound it is let go: the next answer may follow at once. */
const restAfterMs = 4000;

/** A speaker that is open only while something is to be heard; what is written before waits for it. */
export class RestingSpeaker implements AnswerSpeaker {
  readonly #needs: Needs;
  readonly #audio: () => AudioSettings;
  #speaker: Speaker | undefined;
  #waiting: Float32Array[] = [];
  /** Of the speakers before this one. */
  #heardBefore = 0;
  #dip = 1;
  #wanted = false;
  #work: Promise<void> = Promise.resolve();
  #stopLooking: () => void = () => undefined;

  constructor(audio: () => AudioSettings, needs: Needs) {
    this.#audio = audio;
    this.#needs = needs;
  }

  readonly write = (samples: Float32Array): void => {
    if (this.#speaker !== undefined) this.#speaker.write(samples);
    else this.#waiting.push(samples);
    if (!this.#wanted) {
      this.#wanted = true;
      void this.#next(() => this.#open());
    }
    this.#lookLater();
  };

  readonly flush = (): { readonly heard: number; readonly dropped: number } => {
    const waited = this.#waited();
    this.#waiting = [];
    const { heard, dropped } = this.#speaker?.flush() ?? { heard: 0, dropped: 0 };
    return { heard: this.#heardBefore + heard, dropped: dropped + waited };
  };

  readonly heard = (): number => this.#heardBefore + (this.#speaker?.heard() ?? 0);

  readonly queued = (): number => this.#waited() + (this.#speaker?.queued() ?? 0);

  readonly setDip = (gain: number): void => {
    this.#dip = gain;
    this.#speaker?.setDip(gain);
  };

  changed(audio: AudioSettings, before: AudioSettings): void {
    this.#speaker?.setVolume(audio.playbackVolume);
    if (!isSameDevice(before.speaker, audio.speaker)) void this.#speaker?.choose(audio.speaker);
  }

  /** Lets the device go at once; what comes after that opens it again. */
  rest(): Promise<void> {
    this.#stopLooking();
    this.#wanted = false;
    this.#waiting = [];
    return this.#next(async () => {
      const speaker = this.#speaker;
      this.#speaker = undefined;
      if (speaker === undefined) return;
      this.#heardBefore += speaker.heard();
      await speaker.end();
    });
  }

  #waited(): number {
    return this.#waiting.reduce((sum, { length }) => sum + length, 0);
  }

  #lookLater(): void {
    this.#stopLooking();
    this.#stopLooking = this.#needs.clock.after(restAfterMs, () => {
      if (this.queued() > 0) this.#lookLater();
      else void this.rest();
    });
  }

  async #open(): Promise<void> {
    if (!this.#wanted || this.#speaker !== undefined) return;
    const speaker = await this.#needs.openSpeaker(this.#audio().speaker, this.#needs.tell);
    speaker.setVolume(this.#audio().playbackVolume);
    speaker.setDip(this.#dip);
    this.#speaker = speaker;
    for (const samples of this.#waiting.splice(0)) speaker.write(samples);
  }

  /** Opens and closes one after the other. */
  #next(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work);
    return this.#work;
  }
}
