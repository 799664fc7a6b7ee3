import {
  isSameDevice,
  type AudioSettings,
  type SoundChoice,
} from '../../shared/settings/audio-settings.ts';
import { SerialQueue } from '../../shared/lifetime.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import type { Settings, SettingsEditor } from '../../shared/settings/settings.ts';
import type { ComputerSoundState, DeviceRole, TalkLevel } from '../../shared/talk/talk-view.ts';
import type { AudioSink, Microphone, MicrophoneCounters } from '../audio/capture/microphone.ts';
import type { ComputerSoundStream, SoundOpeners } from '../audio/devices/sound-devices.ts';
import type { DeviceEvent } from '../audio/devices/stream-supervisor.ts';
import { LevelMeter } from '../audio/dsp/loudness.ts';
import type { Speaker } from '../audio/playback/speaker.ts';
import type { Conversation } from './conversation.ts';

// The microphone and speaker of a talk, and below them the computer's own sound, which is mixed into the microphone's.

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

/**
 * Settings for a safe start: the devices chosen earlier are replaced with the default ones, because one of them may crash Parley.
 * A device that the user chooses later is used.
 */
export function withDefaultDevices({ get, listen, change }: SettingsEditor): SettingsEditor {
  let chosenBefore: Readonly<Record<DeviceRole, SoundChoice | undefined>> | undefined;
  const safeChoice = (role: DeviceRole, audio: AudioSettings): SoundChoice => {
    chosenBefore ??= audio;
    const before = chosenBefore[role];
    if (before !== undefined && isSameDevice(audio[role], before)) return 'default';
    chosenBefore = { ...chosenBefore, [role]: undefined };
    return audio[role];
  };
  const withDefaults = (settings: Settings): Settings => {
    const { audio } = settings;
    const [microphone, speaker] = [safeChoice('microphone', audio), safeChoice('speaker', audio)];
    return { ...settings, audio: { ...audio, microphone, speaker } };
  };
  return {
    change,
    get: () => withDefaults(get()),
    listen: (listener) =>
      listen((event) => {
        if (event.kind !== 'changed') return listener(event);
        const before = withDefaults(event.before);
        listener({ ...event, before, settings: withDefaults(event.settings) });
      }),
  };
}

interface Deps {
  readonly open: SoundOpeners['openComputerSound'] | undefined;
  readonly volume: () => number;
  readonly onStateChange: (state: ComputerSoundState) => void;
}

/**
 * Lets the model of one talk hear what the computer plays. It is off until the user turns it on, and open only while
 * the microphone may be open.
 */
export class ComputerSound {
  readonly #deps: Deps;
  readonly #mix: ComputerSoundMix;
  readonly #queue = new SerialQueue();
  #stream: ComputerSoundStream | undefined;
  #isWanted = false;
  #isAdmitted = false;
  #state: ComputerSoundState;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#mix = new ComputerSoundMix(deps.volume);
    this.#state = { kind: deps.open === undefined ? 'unsupported' : 'off' };
  }

  get state(): ComputerSoundState {
    return this.#state;
  }

  /** Adds the computer's sound to a part of what is sent. */
  readonly addTo = (part: Float32Array, userSpeaks: boolean): Float32Array =>
    this.#stream === undefined ? part : this.#mix.mix(part, userSpeaks);

  async turn(on: boolean): Promise<void> {
    if (this.#deps.open === undefined) return;
    this.#isWanted = on;
    await this.#apply();
  }

  /** @param admitted whether the talk may have a microphone now */
  async admit(admitted: boolean): Promise<void> {
    this.#isAdmitted = admitted;
    await this.#apply();
  }

  /** The talk is over; the next one begins without the computer's sound. */
  async end(): Promise<void> {
    await this.turn(false);
  }

  #apply(): Promise<void> {
    return this.#queue.run(async () => {
      const { open } = this.#deps;
      const shouldHear = this.#isWanted && this.#isAdmitted;
      if (shouldHear && this.#stream === undefined && open !== undefined) {
        this.#show({ kind: 'opening' });
        this.#mix.clear();
        this.#stream = await open(this.#mix, (event) => this.#onDevice(event));
      } else if (!shouldHear && this.#stream !== undefined) {
        const stream = this.#stream;
        this.#stream = undefined;
        await stream.end();
      }
      if (!shouldHear && open !== undefined)
        this.#show({ kind: this.#isWanted ? 'opening' : 'off' });
    });
  }

  #onDevice(event: DeviceEvent): void {
    if (!this.#isWanted) return;
    this.#show(event.kind === 'lost' ? { kind: 'lost', error: event.error } : { kind: 'on' });
  }

  #show(state: ComputerSoundState): void {
    if (state.kind === this.#state.kind && state.kind !== 'lost') return;
    this.#state = state;
    this.#deps.onStateChange(state);
  }
}

/** Sound waits this long before it is mixed, so that blocks that come late leave no gap. */
const startMs = 60;
/**
 * Above this, waiting sound is dropped down to `startMs`, because the computer's clock is never exactly the
 * microphone's.
 */
const maxWaitMs = 240;
/** Gain of the computer's sound while the user speaks, so that the model still understands the user. */
const gainUnderSpeech = 0.25;
/** A change of the volume takes this long, so that it does not click. */
const rampSamples = inputRate / 50;

const samplesPerMs = inputRate / 1000;

/** Mixes what the computer plays into the sound for the model. It buffers at most a quarter of a second. */
export class ComputerSoundMix implements AudioSink {
  readonly #ring = new Float32Array(inputRate);
  #written = 0;
  #read = 0;
  #isFilling = true;
  #gain = 0;
  readonly #volume: () => number;

  constructor(volume: () => number) {
    this.#volume = volume;
  }

  pushAudio(block: Float32Array): void {
    for (let n = 0; n < block.length; n += 1)
      this.#ring[(this.#written + n) % this.#ring.length] = block[n] ?? 0;
    this.#written += block.length;
    if (this.#waiting > maxWaitMs * samplesPerMs)
      this.#read = this.#written - startMs * samplesPerMs;
  }

  /**
   * Returns a copy of the block mixed with the computer's sound, or the block itself while none is ready. Never writes to
   * the block, because a silent one is shared.
   */
  mix(block: Float32Array, userSpeaks: boolean): Float32Array {
    if (this.#isFilling) {
      if (this.#waiting < startMs * samplesPerMs) return block;
      this.#isFilling = false;
    }
    const mixed = new Float32Array(block);
    const count = Math.min(block.length, this.#waiting);
    const target = this.#volume() * (userSpeaks ? gainUnderSpeech : 1);
    const step = (target - this.#gain) / rampSamples;
    for (let n = 0; n < count; n += 1) {
      if (Math.abs(target - this.#gain) > Math.abs(step)) this.#gain += step;
      else this.#gain = target;
      const heard = (this.#ring[(this.#read + n) % this.#ring.length] ?? 0) * this.#gain;
      mixed[n] = Math.max(-1, Math.min(1, (block[n] ?? 0) + heard));
    }
    this.#read += count;
    // The computer's sound is late or has ended. Once enough is waiting, it fades in again.
    if (count < block.length) this.#restartBuffering();
    return mixed;
  }

  clear(): void {
    this.#ring.fill(0);
    this.#read = this.#written;
    this.#restartBuffering();
  }

  get #waiting(): number {
    return this.#written - this.#read;
  }

  #restartBuffering(): void {
    this.#isFilling = true;
    this.#gain = 0;
  }
}
