import { inputRate, outputRate } from '../../shared/protocol/protocol-limits.ts';
import type { AudioSettings } from '../../shared/settings/settings-groups.ts';
import type { TalkLevel } from '../../shared/talk/talk-view.ts';
import type { DeviceRole } from '../../shared/talk/talk-device-states.ts';
import type { DeviceEvent } from '../sound/devices/stream-supervisor.ts';
import { LevelMeter } from '../sound/dsp/level-meter.ts';
import type { Microphone } from '../sound/devices/microphone.ts';
import type { Speaker } from '../sound/devices/speaker.ts';
import { UnplayedQueue } from '../sound/devices/unplayed-queue.ts';
import type { SpeakerSink } from '../conversation/open-playback.ts';
import type { Clock } from '../ports/clock.ts';
import type { DeviceChoice } from '../ports/sound.ts';
import { applyGain } from '../sound/dsp/apply-gain.ts';
import { isSameDevice } from '../sound/devices/same-device.ts';

export interface SoundOpeners {
  readonly openSpeaker: (
    choice: DeviceChoice,
    emit: (news: DeviceEvent) => void,
  ) => Promise<Speaker>;
  readonly openMicrophone: (
    choice: DeviceChoice,
    hear: (block: Float32Array) => void,
    emit: (news: DeviceEvent) => void,
  ) => Promise<Microphone>;
}

interface Deps extends SoundOpeners {
  readonly clock: Clock;
  readonly hear: (block: Float32Array) => void;
  readonly onDeviceEvent: (use: DeviceRole, news: DeviceEvent) => void;
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
  readonly #microphoneLevel = new LevelMeter(inputRate, ({ rmsDb, peakDb }) => {
    this.#deps.onLevel({ who: 'you', rmsDb, peakDb });
  });
  readonly #speakerLevel = new LevelMeter(outputRate, ({ rmsDb, peakDb }) => {
    this.#deps.onLevel({ who: 'parley', rmsDb, peakDb });
  });
  #audio: AudioSettings;
  #microphone: Microphone | undefined;
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

  readonly latencyMs = (): number => this.#microphone?.counters().latencyMs ?? 0;

  /** What has been heard of the answer, for the level. */
  readonly played = (samples: Float32Array): void => {
    this.#speakerLevel.push(samples);
  };

  /** Opens what is not open. A device that is not there is told as news, and looked for. */
  open(): Promise<void> {
    return this.#enqueue(async () => {
      // Only now: a rest that was asked for before has begun to wait by its end.
      this.#stopWaiting();
      await Promise.all([this.#openSpeaker(), this.#openMicrophone()]);
    });
  }

  /** Closes the microphone at once, and the speaker when it has said everything. */
  closeWhenHeard(): Promise<void> {
    return this.#enqueue(async () => {
      await this.#microphone?.end();
      this.#microphone = undefined;
      this.#waitForSilence();
    });
  }

  end(): Promise<void> {
    return this.#enqueue(async () => {
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

  async #openSpeaker(): Promise<void> {
    if (this.#speaker !== undefined) return;
    const { openSpeaker, onDeviceEvent } = this.#deps;
    const wanted = this.#audio.speaker;
    const speaker = await openSpeaker(wanted, (told) => {
      onDeviceEvent('speaker', told);
    });
    speaker.setVolume(this.#audio.playbackVolume);
    speaker.setDuckGain(this.#duckingGain);
    this.#speaker = speaker;
    for (const samples of this.#pending.all()) speaker.write(samples);
    this.#pending.clear();
    // Another one may have been chosen while this one was opened.
    if (!isSameDevice(wanted, this.#audio.speaker)) void speaker.choose(this.#audio.speaker);
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
