import { isSameDevice } from '../../shared/audio/listed-device.ts';
import { SerialQueue } from '../../shared/lifetime.ts';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import type { AudioSettings } from '../../shared/settings/audio-settings.ts';
import type { SettingsEditor } from '../../shared/settings/settings.ts';
import type { ComputerSoundState } from '../../shared/talk/computer-sound.ts';
import type { TalkLevel } from '../../shared/talk/talk-view.ts';
import type { Microphone, MicrophoneCounters } from '../audio/capture/microphone.ts';
import type { SoundOpeners } from '../audio/devices/sound-devices.ts';
import { LevelMeter } from '../audio/dsp/loudness.ts';
import type { Speaker } from '../audio/playback/speaker.ts';
import { ComputerSound } from './computer-sound.ts';
import type { Conversation } from './conversation.ts';

/** The sound devices of one talk, which open and close with its state. */
export class TalkSoundDevices {
  /** Available whether or not its device is open. */
  readonly speaker: Speaker;
  /** The microphone's readings, available whether or not it is open. */
  readonly microphone = {
    latencyMs: (): number => this.#microphone?.latencyMs() ?? 0,
    voiceLikelihood: (): number | undefined => this.#microphone?.voiceLikelihood(),
    hasEcho: (): boolean => this.#microphone?.hasEcho() ?? false,
    nearEndPresence: (): number | undefined => this.#microphone?.nearEndPresence(),
    /** Undefined while it is closed. */
    counters: (): MicrophoneCounters | undefined => this.#microphone?.counters(),
  };
  readonly computer: ComputerSound;
  readonly #openers: Pick<SoundOpeners, 'openMicrophone'>;
  readonly #onLevel: (level: TalkLevel) => void;
  readonly #speakerLevel: LevelMeter;
  #audio: AudioSettings;
  #user: TalkDeviceUser | undefined;
  #microphone: Microphone | undefined;
  readonly #queue = new SerialQueue();

  constructor(
    audio: AudioSettings,
    openers: Pick<SoundOpeners, 'createSpeaker' | 'openMicrophone' | 'openComputerSound'>,
    onLevel: (level: TalkLevel) => void,
    onComputerSound: (state: ComputerSoundState) => void,
  ) {
    this.#audio = audio;
    this.#openers = openers;
    this.#onLevel = onLevel;
    this.#speakerLevel = new LevelMeter(outputRate, ({ rmsDb, halvesDb, peakDb }) =>
      onLevel({ who: 'parley', rmsDb, halvesDb, peakDb }),
    );
    this.speaker = openers.createSpeaker({
      device: audio.speaker,
      emit: (event) => {
        this.#user?.onDeviceEvent('speaker', event);
      },
    });
    this.speaker.setVolume(audio.playbackVolume);
    this.computer = new ComputerSound({
      open: openers.openComputerSound,
      volume: () => this.#audio.computerVolume,
      onStateChange: onComputerSound,
    });
  }

  /** Measures the level of the answer's sound as it is heard. */
  readonly played = (samples: Float32Array): void => this.#speakerLevel.push(samples);

  /** Opens the speaker if it is closed. Reports a missing device as an event, and keeps looking for it. */
  async openSpeaker(user: TalkDeviceUser): Promise<void> {
    this.#user = user;
    await this.speaker.open();
  }

  /** Opens the microphone if it is closed; a missing device is reported as an event. */
  async openMicrophone(user: TalkDeviceUser): Promise<void> {
    await Promise.all([
      this.#queue.run(() => this.#openMicrophone(user)),
      this.computer.admit(true),
    ]);
  }

  async closeMicrophone(): Promise<void> {
    await Promise.all([
      this.#queue.run(async () => {
        await this.#microphone?.end();
        this.#microphone = undefined;
      }),
      this.computer.admit(false),
    ]);
  }

  /** Closes the microphone at once, and the speaker's device once the answer was heard. */
  async closeWhenHeard(): Promise<void> {
    this.speaker.closeWhenHeard();
    await Promise.all([this.closeMicrophone(), this.computer.end()]);
  }

  async end(): Promise<void> {
    await Promise.all([this.speaker.end(), this.closeMicrophone(), this.computer.end()]);
  }

  applySettings(audio: AudioSettings): void {
    const before = this.#audio;
    this.#audio = audio;
    this.speaker.setVolume(audio.playbackVolume);
    if (!isSameDevice(before.speaker, audio.speaker)) void this.speaker.choose(audio.speaker);
    if (!isSameDevice(before.microphone, audio.microphone))
      void this.#microphone?.choose(audio.microphone);
  }

  async #openMicrophone(talk: TalkDeviceUser): Promise<void> {
    if (this.#microphone !== undefined) return;
    const choice = this.#audio.microphone;
    const microphone = await this.#openers.openMicrophone(choice, talk, {
      gain: () => this.#audio.inputVolume,
      allowsSubstitute: () => this.#audio.whileUnplugged === 'system',
      onLevel: ({ rmsDb, halvesDb, peakDb }) =>
        this.#onLevel({ who: 'you', rmsDb, halvesDb, peakDb }),
      emit: (event) => talk.onDeviceEvent('microphone', event),
    });
    this.#microphone = microphone;
    // The user may have chosen another device while this one opened.
    if (!isSameDevice(choice, this.#audio.microphone))
      void microphone.choose(this.#audio.microphone);
  }
}

export type TalkDeviceUser = Pick<Conversation, 'pushAudio' | 'onDeviceEvent'>;

/** Settings for a safe start: the devices chosen earlier are replaced with the default ones, because one of them may crash Parley. */
export function withDefaultDevices({ get, listen, change }: SettingsEditor): SettingsEditor {
  let chosenBefore: { readonly microphone: unknown; readonly speaker: unknown } | undefined;
  return {
    listen,
    change,
    get: () => {
      const settings = get();
      const { audio } = settings;
      chosenBefore ??= audio;
      const { microphone, speaker } = chosenBefore;
      return {
        ...settings,
        audio: {
          ...audio,
          microphone: audio.microphone === microphone ? 'default' : audio.microphone,
          speaker: audio.speaker === speaker ? 'default' : audio.speaker,
        },
      };
    },
  };
}
