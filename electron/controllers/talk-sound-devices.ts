import { inputRate, outputRate } from '../../shared/protocol/protocol-limits.ts';
import type { AudioSettings } from '../../shared/settings/settings-groups.ts';
import type { TalkLevel } from '../../shared/talk/talk-view.ts';
import type { DeviceRole } from '../../shared/talk/talk-device-states.ts';
import type { DeviceEvent } from '../sound/devices/stream-supervisor.ts';
import { LevelMeter } from '../sound/dsp/level-meter.ts';
import type { Microphone } from '../sound/devices/microphone.ts';
import type { Speaker, SpeakerOptions } from '../sound/playback/speaker.ts';
import type { DeviceChoice } from '../ports/sound.ts';
import { applyGain } from '../sound/dsp/apply-gain.ts';
import { isSameDevice } from '../sound/devices/same-device.ts';

export interface SoundOpeners {
  readonly createSpeaker: (options: SpeakerOptions) => Speaker;
  readonly openMicrophone: (
    choice: DeviceChoice,
    hear: (block: Float32Array) => void,
    emit: (news: DeviceEvent) => void,
  ) => Promise<Microphone>;
}

interface Deps extends SoundOpeners {
  readonly hear: (block: Float32Array) => void;
  readonly onDeviceEvent: (use: DeviceRole, news: DeviceEvent) => void;
  readonly onLevel: (level: TalkLevel) => void;
}

/**
 * Microphone and speaker of a conversation. The microphone is open while something may go to a
 * server, and no longer; the speaker's device is let go with it once all has been heard.
 */
export class TalkSoundDevices {
  /** Where the conversation plays to, whether its device is open at the moment or not. */
  readonly speaker: Speaker;
  readonly #deps: Deps;
  readonly #microphoneLevel = new LevelMeter(inputRate, ({ rmsDb, peakDb }) => {
    this.#deps.onLevel({ who: 'you', rmsDb, peakDb });
  });
  readonly #speakerLevel = new LevelMeter(outputRate, ({ rmsDb, peakDb }) => {
    this.#deps.onLevel({ who: 'parley', rmsDb, peakDb });
  });
  #audio: AudioSettings;
  #microphone: Microphone | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(audio: AudioSettings, deps: Deps) {
    this.#audio = audio;
    this.#deps = deps;
    this.speaker = deps.createSpeaker({
      device: audio.speaker,
      emit: (news) => {
        deps.onDeviceEvent('speaker', news);
      },
    });
    this.speaker.setVolume(audio.playbackVolume);
  }

  readonly latencyMs = (): number => this.#microphone?.counters().latencyMs ?? 0;

  /** What has been heard of the answer, for the level. */
  readonly played = (samples: Float32Array): void => {
    this.#speakerLevel.push(samples);
  };

  /** Opens what is not open. A device that is not there is told as news, and looked for. */
  async open(): Promise<void> {
    await Promise.all([this.speaker.open(), this.#enqueue(() => this.#openMicrophone())]);
  }

  /** Closes the microphone at once, and the speaker's device when all has been heard. */
  async closeWhenHeard(): Promise<void> {
    this.speaker.rest();
    await this.#enqueue(() => this.#closeMicrophone());
  }

  async end(): Promise<void> {
    await Promise.all([this.speaker.end(), this.#enqueue(() => this.#closeMicrophone())]);
  }

  set(audio: AudioSettings): void {
    const before = this.#audio;
    this.#audio = audio;
    this.speaker.setVolume(audio.playbackVolume);
    if (!isSameDevice(before.speaker, audio.speaker)) void this.speaker.choose(audio.speaker);
    if (!isSameDevice(before.microphone, audio.microphone))
      void this.#microphone?.choose(audio.microphone);
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

  async #openMicrophone(): Promise<void> {
    if (this.#microphone !== undefined) return;
    const { openMicrophone, onDeviceEvent } = this.#deps;
    this.#microphoneLevel.reset();
    const wanted = this.#audio.microphone;
    const microphone = await openMicrophone(wanted, this.#hear, (told) => {
      onDeviceEvent('microphone', told);
    });
    this.#microphone = microphone;
    if (!isSameDevice(wanted, this.#audio.microphone))
      void microphone.choose(this.#audio.microphone);
  }

  readonly #hear = (block: Float32Array): void => {
    applyGain(block, this.#audio.inputVolume);
    this.#microphoneLevel.push(block);
    this.#deps.hear(block);
  };

  async #closeMicrophone(): Promise<void> {
    const microphone = this.#microphone;
    this.#microphone = undefined;
    await microphone?.end();
  }
}
