import { outputRate } from '../../shared/protocol/protocol-limits.ts';
import type { AudioSettings } from '../../shared/settings/settings-groups.ts';
import type { TalkLevel } from '../../shared/talk/talk-view.ts';
import type { DeviceEvent } from '../sound/devices/stream-supervisor.ts';
import { LevelMeter } from '../sound/dsp/level-meter.ts';
import type { OpenMicrophone } from '../sound/capture/microphone.ts';
import type { Speaker } from '../sound/devices/speaker.ts';
import { UnplayedQueue } from '../sound/devices/unplayed-queue.ts';
import type { SpeakerSink } from '../conversation/open-playback.ts';
import type { Clock } from '../ports/clock.ts';
import type { DeviceChoice } from '../ports/sound.ts';
import { isSameDevice } from '../sound/devices/same-device.ts';
import { TalkMicrophone } from './talk-microphone.ts';
import type { TalkDeviceUser } from './talk-microphone.ts';

export interface SoundOpeners {
  readonly openSpeaker: (
    choice: DeviceChoice,
    emit: (news: DeviceEvent) => void,
  ) => Promise<Speaker>;
  readonly openMicrophone: OpenMicrophone;
}

interface Deps extends SoundOpeners {
  readonly clock: Clock;
  readonly onLevel: (level: TalkLevel) => void;
}

/** How often it is looked whether an answer has been heard out after the end. */
const heardOutMs = 250;

/**
 * Microphone and speaker of a conversation. The microphone is open while something may go to a
 * server, and no longer; the speaker rests with it once it has nothing more to say.
 */
export class TalkSoundDevices {
  readonly #deps: Deps;
  readonly microphone: TalkMicrophone;
  readonly #speakerLevel = new LevelMeter(outputRate, ({ rmsDb, peakDb }) => {
    this.#deps.onLevel({ who: 'parley', rmsDb, peakDb });
  });
  #audio: AudioSettings;
  #speaker: Speaker | undefined;
  /** Of the speakers before this one. */
  #heardBefore = 0;
  /** Written while no speaker was open yet. */
  readonly #pending = new UnplayedQueue();
  /** All that was written and not flushed. */
  #written = 0;
  #duckingGain = 1;
  #stopWaiting: () => void = () => undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(audio: AudioSettings, deps: Deps) {
    this.#audio = audio;
    this.#deps = deps;
    this.microphone = new TalkMicrophone(audio, deps);
  }

  /** Where the conversation plays to, whether a speaker is open at the moment or not. */
  readonly speaker: SpeakerSink = {
    write: (samples) => {
      this.#written += samples.length;
      if (this.#speaker === undefined) this.#pending.add(samples);
      else this.#speaker.write(samples);
    },
    flush: () => {
      const { heard, dropped } = this.#speaker?.flush() ?? { heard: 0, dropped: 0 };
      const unheard = dropped + this.#pending.clear();
      this.#written -= unheard;
      return { heard: this.#heardBefore + heard, dropped: unheard };
    },
    heard: () => this.#heardBefore + (this.#speaker?.heard() ?? 0),
    queued: () => this.#pending.samples + (this.#speaker?.queued() ?? 0),
    setDuckGain: (gain) => {
      this.#duckingGain = gain;
      this.#speaker?.setDuckGain(gain);
    },
  };

  /** What has been heard of the answer, for the level. */
  readonly played = (samples: Float32Array): void => {
    this.#speakerLevel.push(samples);
  };

  /** Opens what is not open. A device that is not there is told as news, and looked for. */
  open(talk: TalkDeviceUser): Promise<void> {
    return this.#enqueue(async () => {
      // Only now: a rest that was asked for before has begun to wait by its end.
      this.#stopWaiting();
      await Promise.all([this.#openSpeaker(talk), this.microphone.open(talk)]);
    });
  }

  /** Closes the microphone at once, and the speaker when it has said everything. */
  closeWhenHeard(): Promise<void> {
    return this.#enqueue(async () => {
      await this.microphone.end();
      this.#waitForSilence();
    });
  }

  end(): Promise<void> {
    return this.#enqueue(async () => {
      this.#stopWaiting();
      await Promise.all([this.microphone.end(), this.#closeSpeaker()]);
    });
  }

  set(audio: AudioSettings): void {
    const before = this.#audio;
    this.#audio = audio;
    this.#speaker?.setVolume(audio.playbackVolume);
    if (!isSameDevice(before.speaker, audio.speaker)) void this.#speaker?.choose(audio.speaker);
    this.microphone.set(audio);
  }

  /** Devices open and close one after the other. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    const before = this.#work;
    const after = async (): Promise<void> => {
      // Whoever asked for what failed is told; what was opened must be closed all the same.
      await before.catch(() => undefined);
      await work();
    };
    this.#work = after();
    return this.#work;
  }

  async #openSpeaker(talk: TalkDeviceUser): Promise<void> {
    if (this.#speaker !== undefined) return;
    const wanted = this.#audio.speaker;
    const speaker = await this.#deps.openSpeaker(wanted, (event) => {
      talk.deviceNews('speaker', event);
    });
    speaker.setVolume(this.#audio.playbackVolume);
    speaker.setDuckGain(this.#duckingGain);
    this.#speaker = speaker;
    for (const samples of this.#pending.all()) speaker.write(samples);
    this.#pending.clear();
    // Another one may have been chosen while this one was opened.
    if (!isSameDevice(wanted, this.#audio.speaker)) void speaker.choose(this.#audio.speaker);
  }

  #waitForSilence(): void {
    this.#stopWaiting = this.#deps.clock.after(heardOutMs, () => {
      // What a device has taken is still on its way to the ear for a while.
      if (this.speaker.heard() < this.#written) this.#waitForSilence();
      else void this.#enqueue(() => this.#closeSpeaker());
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
