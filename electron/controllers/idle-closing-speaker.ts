import type { AudioSettings } from '../../shared/settings/settings-groups.ts';
import type { DeviceEvent } from '../sound/devices/stream-supervisor.ts';
import type { Speaker } from '../sound/devices/speaker.ts';
import type { SpeakerSink } from '../conversation/open-playback.ts';
import type { Clock } from '../ports/clock.ts';
import { isSameDevice } from '../sound/devices/same-device.ts';
import type { SoundOpeners } from './talk-sound-devices.ts';

interface Deps extends Pick<SoundOpeners, 'openSpeaker'> {
  readonly clock: Clock;
  readonly emit: (news: DeviceEvent) => void;
}

/** So long after the last sound it is let go: the next answer may follow at once. */
const closeAfterMs = 4000;

/** A speaker that is open only while something is to be heard; what is written before waits for it. */
export class IdleClosingSpeaker implements SpeakerSink {
  readonly #deps: Deps;
  readonly #audio: () => AudioSettings;
  #speaker: Speaker | undefined;
  #waiting: Float32Array[] = [];
  /** Of the speakers before this one. */
  #heardBefore = 0;
  #duckingGain = 1;
  #wanted = false;
  #work: Promise<void> = Promise.resolve();
  #cancelCheck: () => void = () => undefined;

  constructor(audio: () => AudioSettings, deps: Deps) {
    this.#audio = audio;
    this.#deps = deps;
  }

  readonly write = (samples: Float32Array): void => {
    if (this.#speaker !== undefined) this.#speaker.write(samples);
    else this.#waiting.push(samples);
    if (!this.#wanted) {
      this.#wanted = true;
      void this.#enqueue(() => this.#open());
    }
    this.#checkLater();
  };

  readonly flush = (): { readonly heard: number; readonly dropped: number } => {
    const waited = this.#waitingSamples();
    this.#waiting = [];
    const { heard, dropped } = this.#speaker?.flush() ?? { heard: 0, dropped: 0 };
    return { heard: this.#heardBefore + heard, dropped: dropped + waited };
  };

  readonly heard = (): number => this.#heardBefore + (this.#speaker?.heard() ?? 0);

  readonly queued = (): number => this.#waitingSamples() + (this.#speaker?.queued() ?? 0);

  readonly setDuckGain = (gain: number): void => {
    this.#duckingGain = gain;
    this.#speaker?.setDuckGain(gain);
  };

  changed(audio: AudioSettings, before: AudioSettings): void {
    this.#speaker?.setVolume(audio.playbackVolume);
    if (!isSameDevice(before.speaker, audio.speaker)) void this.#speaker?.choose(audio.speaker);
  }

  /** Lets the device go at once; what comes after that opens it again. */
  close(): Promise<void> {
    this.#cancelCheck();
    this.#wanted = false;
    this.#waiting = [];
    return this.#enqueue(async () => {
      const speaker = this.#speaker;
      this.#speaker = undefined;
      if (speaker === undefined) return;
      this.#heardBefore += speaker.heard();
      await speaker.end();
    });
  }

  #waitingSamples(): number {
    return this.#waiting.reduce((sum, { length }) => sum + length, 0);
  }

  #checkLater(): void {
    this.#cancelCheck();
    this.#cancelCheck = this.#deps.clock.after(closeAfterMs, () => {
      if (this.queued() > 0) this.#checkLater();
      else void this.close();
    });
  }

  async #open(): Promise<void> {
    if (!this.#wanted || this.#speaker !== undefined) return;
    const speaker = await this.#deps.openSpeaker(this.#audio().speaker, this.#deps.emit);
    speaker.setVolume(this.#audio().playbackVolume);
    speaker.setDuckGain(this.#duckingGain);
    this.#speaker = speaker;
    for (const samples of this.#waiting.splice(0)) speaker.write(samples);
  }

  /** Opens and closes one after the other. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work);
    return this.#work;
  }
}
