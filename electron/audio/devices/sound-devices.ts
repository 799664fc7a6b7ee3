import type { PostNotice } from '../../../shared/ipc/contract.ts';
import type { Lifetime } from '../../../shared/lifetime.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Log } from '../../../shared/ports/log.ts';
import type { AudioSettings } from '../../../shared/settings/audio-settings.ts';
import type { SettingsReader } from '../../../shared/settings/settings.ts';
import {
  type AudioSink,
  CapturePipeline,
  type Microphone,
  type MicrophoneOptions,
  SupervisedMicrophone,
} from '../capture/microphone.ts';
import { EchoCancellation } from '../echo/echo-cancellation.ts';
import { isEchoCancelled, CancellerCache, type OpenEchoCanceller } from '../echo/echo-canceller.ts';
import { FarEndSignal } from '../echo/far-end-signal.ts';
import { CaptureEnhancement, type EnhancementChoice } from '../enhance/capture-enhancement.ts';
import { Speaker, type SpeakerOptions } from '../playback/speaker.ts';
import type { DeviceLock } from './device-lease.ts';
import type { DeviceChoice, OpenComputerSound, SoundDriver } from './sound-driver.ts';
import type { DeviceEvent } from './stream-supervisor.ts';

/** Opens microphones and speakers. All other code gets its devices here. */
export interface SoundOpeners {
  /** The speaker opens its device on `open` or for the first sound. */
  readonly createSpeaker: (options: SpeakerOptions) => Speaker;
  /**
   * Resolves once the device is open, or once `emit` has reported its loss. From then on the speaker keeps a device open
   * whenever there is one.
   */
  readonly openSpeaker: (
    device: DeviceChoice,
    emit: (event: DeviceEvent) => void,
  ) => Promise<Speaker>;
  readonly openMicrophone: (
    choice: DeviceChoice,
    sink: AudioSink,
    options: MicrophoneOptions,
  ) => Promise<Microphone>;
  /**
   * Opens what this computer plays, without what Parley plays. Undefined where the system has no way to capture it.
   */
  readonly openComputerSound?:
    | ((sink: AudioSink, emit: (event: DeviceEvent) => void) => Promise<ComputerSoundStream>)
    | undefined;
}

export type ComputerSoundStream = Pick<Microphone, 'end'>;

export interface TestDevices {
  readonly openSpeaker: (
    ...args: Parameters<SoundOpeners['openSpeaker']>
  ) => Promise<Pick<Speaker, 'write' | 'setVolume' | 'end'>>;
  readonly openMicrophone: (
    ...args: Parameters<SoundOpeners['openMicrophone']>
  ) => Promise<Pick<Microphone, 'end'>>;
}

export interface SoundControllerDeps {
  readonly devices: SoundOpeners;
  readonly settings: SettingsReader;
  readonly clock: Clock;
  readonly lock: DeviceLock;
  readonly post: PostNotice;
}

export interface SoundDevicesOptions {
  readonly driver: SoundDriver;
  readonly clock: Clock;
  readonly lifetime: Lifetime;
  readonly log: Log;
  readonly openEchoCanceller?: OpenEchoCanceller | undefined;
  /** The settings of noise suppression and gain control. If omitted, both are off, and so is voice detection. */
  readonly enhancement?: EnhancementChoice | undefined;
  /** The echo setting; if omitted, the device names decide. */
  readonly echoMode?: (() => AudioSettings['echo']) | undefined;
  readonly openComputerSound?: OpenComputerSound | undefined;
}

/** The microphones and speakers of one sound system. The lifetime ends any that are still open. */
export class SoundDevices implements SoundOpeners {
  /** The driver, wrapped to record the far end if echo is cancelled. */
  readonly sound: SoundDriver;
  readonly openComputerSound: SoundOpeners['openComputerSound'];
  readonly #options: SoundDevicesOptions;
  readonly #farEnd: FarEndSignal | undefined;
  readonly #cancellerCache = new CancellerCache();
  readonly #speakers = new Set<Speaker>();
  readonly #microphones = new Set<Microphone>();

  constructor(options: SoundDevicesOptions) {
    const { driver, lifetime, openEchoCanceller, openComputerSound } = options;
    this.#options = options;
    this.openComputerSound =
      openComputerSound && ((sink, emit) => this.#openComputerSound(openComputerSound, sink, emit));
    this.#farEnd = openEchoCanceller && new FarEndSignal();
    this.sound = this.#farEnd?.watch(driver) ?? driver;
    for (const [name, open] of [
      ['the speakers', this.#speakers],
      ['the microphones', this.#microphones],
    ] as const)
      lifetime.add(async () => {
        await Promise.all([...open].map((device) => device.end()));
      }, name);
  }

  readonly createSpeaker = (options: SpeakerOptions): Speaker => {
    const { clock, lifetime } = this.#options;
    const onEnded = (closed: Speaker): boolean => this.#speakers.delete(closed);
    const speaker = new Speaker(options, { driver: this.sound, clock, onEnded });
    this.#speakers.add(speaker);
    if (lifetime.hasEnded) void speaker.end();
    return speaker;
  };

  readonly openSpeaker: SoundOpeners['openSpeaker'] = async (device, emit) => {
    const speaker = this.createSpeaker({ device, emit });
    await speaker.open();
    return speaker;
  };

  readonly openMicrophone: SoundOpeners['openMicrophone'] = async (choice, sink, options) => {
    const { clock, lifetime, enhancement } = this.#options;
    const isEnhanced = enhancement !== undefined && options.unprocessed !== true;
    const microphone = new SupervisedMicrophone(choice, {
      driver: this.sound,
      clock,
      emit: options.emit,
      allowsSubstitute: options.allowsSubstitute,
      pipeline: new CapturePipeline(
        sink,
        options,
        this.#echoFor(options),
        isEnhanced ? new CaptureEnhancement(enhancement) : undefined,
      ),
      onEnded: (closed) => this.#microphones.delete(closed),
    });
    await microphone.begin();
    this.#microphones.add(microphone);
    if (lifetime.hasEnded) void microphone.end();
    return microphone;
  };

  async #openComputerSound(
    open: OpenComputerSound,
    sink: AudioSink,
    emit: (event: DeviceEvent) => void,
  ): Promise<ComputerSoundStream> {
    const { clock, lifetime, log, openEchoCanceller } = this.#options;
    const farEnd = this.#farEnd;
    const sound = new SupervisedMicrophone('default', {
      driver: {
        devices: this.sound.devices,
        systemMovesStreams: true,
        openMicrophone: (_device, _rate, listener) => open(listener),
      },
      clock,
      emit,
      // Cancels Parley's own voice, which is part of what the computer plays.
      pipeline: new CapturePipeline(
        sink,
        { gain: () => 1 },
        farEnd &&
          openEchoCanceller &&
          new EchoCancellation({ farEnd, log, open: openEchoCanceller, isEnabled: () => true }),
      ),
      onEnded: (closed) => this.#microphones.delete(closed),
    });
    await sound.begin();
    this.#microphones.add(sound);
    if (lifetime.hasEnded) void sound.end();
    return sound;
  }

  #echoFor({ recorder, unprocessed }: MicrophoneOptions): EchoCancellation | undefined {
    const { log, openEchoCanceller, echoMode = () => 'auto' } = this.#options;
    const farEnd = this.#farEnd;
    if (farEnd === undefined || openEchoCanceller === undefined) return undefined;
    if (recorder !== undefined)
      return new EchoCancellation({ farEnd, log, open: () => recorder, isEnabled: () => true });
    if (unprocessed === true) return undefined;
    return new EchoCancellation({
      farEnd,
      log,
      open: openEchoCanceller,
      cache: this.#cancellerCache,
      isEnabled: (devices) => isEchoCancelled(echoMode(), devices),
    });
  }
}
