import { outputRate } from '../../shared/protocol/protocol-limits.ts';
import type { AudioSettings } from '../../shared/settings/settings-groups.ts';
import type { TalkLevel } from '../../shared/talk/talk-view.ts';
import { LevelMeter } from '../sound/dsp/level-meter.ts';
import type { SoundOpeners, Speaker } from '../sound/playback/speaker.ts';
import { isSameDevice } from '../sound/devices/device-choice.ts';
import { TalkMicrophone } from './talk-microphone.ts';
import type { TalkDeviceUser } from './talk-microphone.ts';

interface Deps extends SoundOpeners {
  readonly onLevel: (level: TalkLevel) => void;
}

/**
 * Microphone and speaker of a conversation. The microphone is open from when a server has admitted the talk, so that
 * no first syllable is lost, until it ends; not in a queue. The speaker's device is let go once all has been heard.
 */
export class TalkSoundDevices {
  /** Where the conversation plays to, whether its device is open at the moment or not. */
  readonly speaker: Speaker;
  readonly microphone: TalkMicrophone;
  readonly #speakerLevel: LevelMeter;
  #audio: AudioSettings;
  #user: TalkDeviceUser | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(audio: AudioSettings, deps: Deps) {
    this.#audio = audio;
    this.#speakerLevel = new LevelMeter(outputRate, ({ rmsDb, halvesDb, peakDb }) => {
      deps.onLevel({ who: 'parley', rmsDb, halvesDb, peakDb });
    });
    this.microphone = new TalkMicrophone(audio, deps);
    this.speaker = deps.createSpeaker({
      device: audio.speaker,
      emit: (event) => {
        this.#user?.onDeviceEvent('speaker', event);
      },
    });
    this.speaker.setVolume(audio.playbackVolume);
  }

  /** What has been heard of the answer, for the level. */
  readonly played = (samples: Float32Array): void => {
    this.#speakerLevel.push(samples);
  };

  /** Opens the speaker if it is closed. It reports a missing device as an event, and keeps looking for it. */
  async openSpeaker(user: TalkDeviceUser): Promise<void> {
    this.#user = user;
    await this.speaker.open();
  }

  /** The same of the microphone. */
  openMicrophone(user: TalkDeviceUser): Promise<void> {
    return this.#enqueue(() => this.microphone.open(user));
  }

  closeMicrophone(): Promise<void> {
    return this.#enqueue(() => this.microphone.end());
  }

  /** Closes the microphone at once, and the speaker's device when all has been heard. */
  async closeWhenHeard(): Promise<void> {
    this.speaker.closeWhenHeard();
    await this.closeMicrophone();
  }

  async end(): Promise<void> {
    await Promise.all([this.speaker.end(), this.closeMicrophone()]);
  }

  set(audio: AudioSettings): void {
    const before = this.#audio;
    this.#audio = audio;
    this.speaker.setVolume(audio.playbackVolume);
    if (!isSameDevice(before.speaker, audio.speaker)) void this.speaker.choose(audio.speaker);
    this.microphone.set(audio);
  }

  /** Microphones open and close one after the other. */
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
}
