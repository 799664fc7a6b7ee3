import { inputRate, outputRate } from '../../shared/protocol/limits.ts';
import type { AudioSettings } from '../../shared/settings/groups.ts';
import type { TalkLevel } from '../../shared/talk/talk-view.ts';
import type { DeviceUse } from '../../shared/talk/talk-devices.ts';
import type { SoundNews } from '../audio/keep-stream.ts';
import { LevelMeter } from '../audio/level-meter.ts';
import type { Microphone } from '../audio/microphone.ts';
import type { Speaker } from '../audio/speaker.ts';
import { Unplayed } from '../audio/unplayed.ts';
import type { AnswerSpeaker } from '../conversation/answer-playback.ts';
import type { Clock } from '../ports/clock.ts';
import type { DeviceChoice } from '../ports/sound.ts';
import { amplify } from './amplify.ts';
import { isSameDevice } from './same-device.ts';

export interface SoundOpeners {
  readonly openSpeaker: (choice: DeviceChoice, tell: (news: SoundNews) => void) => Promise<Speaker>;
  readonly openMicrophone: (
    choice: DeviceChoice,
    hear: (block: Float32Array) => void,
    tell: (news: SoundNews) => void,
  ) => Promise<Microphone>;
}

interface Needs extends SoundOpeners {
  readonly clock: Clock;
  readonly hear: (block: Float32Array) => void;
  readonly news: (use: DeviceUse, news: SoundNews) => void;
  readonly level: (level: TalkLevel) => void;
}

/** How often it is looked whether an answer has been heard out after the end. */
const heardOutMs = 250;

/**
 * Microphone and speaker of a conversation. The microphone is open while something may go to a
 * server, and no longer; the speaker rests with it once it has nothing more to say.
 */
export class TalkDevices {
  readonly #needs: Needs;
  readonly #you = new LevelMeter(inputRate, ({ rmsDb, peakDb }) => {
    this.#needs.level({ who: 'you', rmsDb, peakDb });
  });
  readonly #parley = new LevelMeter(outputRate, ({ rmsDb, peakDb }) => {
    this.#needs.level({ who: 'parley', rmsDb, peakDb });
  });
  #audio: AudioSettings;
  #microphone: Microphone | undefined;
  #speaker: Speaker | undefined;
  /** Of the speakers before this one. */
  #heardBefore = 0;
  /** Written while no speaker was open yet. */
  readonly #early = new Unplayed();
  /** All that was written and not flushed. */
  #given = 0;
  #dip = 1;
  #stopWaiting: () => void = () => undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(audio: AudioSettings, needs: Needs) {
    this.#audio = audio;
    this.#needs = needs;
  }

  /** Where the conversation plays to, whether a speaker is open at the moment or not. */
  readonly speaker: AnswerSpeaker = {
    write: (samples) => {
      this.#given += samples.length;
      if (this.#speaker === undefined) this.#early.add(samples);
      else this.#speaker.write(samples);
    },
    flush: () => {
      const { heard, dropped } = this.#speaker?.flush() ?? { heard: 0, dropped: 0 };
      const unheard = dropped + this.#early.clear();
      this.#given -= unheard;
      return { heard: this.#heardBefore + heard, dropped: unheard };
    },
    heard: () => this.#heardBefore + (this.#speaker?.heard() ?? 0),
    queued: () => this.#early.samples + (this.#speaker?.queued() ?? 0),
    setDip: (gain) => {
      this.#dip = gain;
      this.#speaker?.setDip(gain);
    },
  };

  readonly latencyMs = (): number => this.#microphone?.counters().latencyMs ?? 0;

  /** What has been heard of the answer, for the level. */
  readonly played = (samples: Float32Array): void => {
    this.#parley.push(samples);
  };

  /** Opens what is not open. A device that is not there is told as news, and looked for. */
  wake(): Promise<void> {
    return this.#next(async () => {
      // Only now: a rest that was asked for before has begun to wait by its end.
      this.#stopWaiting();
      await Promise.all([this.#openSpeaker(), this.#openMicrophone()]);
    });
  }

  /** Closes the microphone at once, and the speaker when it has said everything. */
  rest(): Promise<void> {
    return this.#next(async () => {
      await this.#microphone?.end();
      this.#microphone = undefined;
      this.#waitForSilence();
    });
  }

  end(): Promise<void> {
    return this.#next(async () => {
      this.#stopWaiting();
      await Promise.all([this.#microphone?.end(), this.#closeSpeaker()]);
      this.#microphone = undefined;
    });
  }

  set(audio: AudioSettings): void {
    const before = this.#audio;
    this.#audio = audio;
    this.#speaker?.setVolume(audio.playbackVolume);
    if (!isSameDevice(before.speaker, audio.speaker)) void this.#speaker?.choose(audio.speaker);
    if (!isSameDevice(before.microphone, audio.microphone))
      void this.#microphone?.choose(audio.microphone);
  }

  /** Devices open and close one after the other. */
  #next(work: () => Promise<void>): Promise<void> {
    const before = this.#work;
    const after = async (): Promise<void> => {
      // Whoever asked for what failed is told; what was opened must be closed all the same.
      await before.catch(() => undefined);
      await work();
    };
    this.#work = after();
    return this.#work;
  }

  async #openSpeaker(): Promise<void> {
    if (this.#speaker !== undefined) return;
    const { openSpeaker, news } = this.#needs;
    const wanted = this.#audio.speaker;
    const speaker = await openSpeaker(wanted, (told) => {
      news('speaker', told);
    });
    speaker.setVolume(this.#audio.playbackVolume);
    speaker.setDip(this.#dip);
    this.#speaker = speaker;
    for (const samples of this.#early.all()) speaker.write(samples);
    this.#early.clear();
    // Another one may have been chosen while this one was opened.
    if (!isSameDevice(wanted, this.#audio.speaker)) void speaker.choose(this.#audio.speaker);
  }

  async #openMicrophone(): Promise<void> {
    if (this.#microphone !== undefined) return;
    const { openMicrophone, news } = this.#needs;
    this.#you.reset();
    const wanted = this.#audio.microphone;
    const microphone = await openMicrophone(wanted, this.#hear, (told) => {
      news('microphone', told);
    });
    this.#microphone = microphone;
    if (!isSameDevice(wanted, this.#audio.microphone))
      void microphone.choose(this.#audio.microphone);
  }

  readonly #hear = (block: Float32Array): void => {
    amplify(block, this.#audio.inputVolume);
    this.#you.push(block);
    this.#needs.hear(block);
  };

  #waitForSilence(): void {
    this.#stopWaiting = this.#needs.clock.after(heardOutMs, () => {
      // What a device has taken is still on its way to the ear for a while.
      if (this.speaker.heard() < this.#given) this.#waitForSilence();
      else void this.#next(() => this.#closeSpeaker());
    });
  }

  async #closeSpeaker(): Promise<void> {
    const speaker = this.#speaker;
    this.#speaker = undefined;
    if (speaker === undefined) return;
    this.#heardBefore += speaker.heard();
    await speaker.end();
  }
}
