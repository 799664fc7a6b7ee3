import type { PostNotice } from '../../../shared/ipc/contract.ts';
import type { Lifetime } from '../../../shared/lifetime.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Log } from '../../../shared/ports/log.ts';
import type { AudioSettings } from '../../../shared/settings/audio-settings.ts';
import type { SettingsReader } from '../../../shared/settings/settings.ts';
import { type AudioSink, CapturePipeline } from '../capture/capture-pipeline.ts';
import {
  type Microphone,
  type MicrophoneOptions,
  SupervisedMicrophone,
} from '../capture/microphone.ts';
import { EchoCancellation } from '../echo/echo-cancellation.ts';
import { isEchoCancelled, KnownRoom, type OpenEchoCanceller } from '../echo/echo-canceller.ts';
import { FarEndSignal } from '../echo/far-end-signal.ts';
import { CaptureEnhancement, type EnhancementChoice } from '../enhance/capture-enhancement.ts';
import { Speaker, type SpeakerOptions } from '../playback/speaker.ts';
import type { DeviceLock } from './device-lease.ts';
import type { DeviceChoice, SoundDriver } from './sound-driver.ts';
import type { DeviceEvent } from './stream-supervisor.ts';

/** Opens microphones and speakers for whoever listens or plays: the one way to any of them. */
export interface SoundOpeners {
  /** It opens its device when it is told to, or when there is something to play. */
  readonly createSpeaker: (options: SpeakerOptions) => Speaker;
  /** The same with its device open, and kept open. */
  readonly openSpeaker: (
    device: DeviceChoice,
    emit: (event: DeviceEvent) => void,
  ) => Promise<Speaker>;
  readonly openMicrophone: (
    choice: DeviceChoice,
    sink: AudioSink,
    options: MicrophoneOptions,
  ) => Promise<Microphone>;
}

/** As much of it as a test or a recording needs. */
export interface TestDevices {
  readonly openSpeaker: (
    ...wanted: Parameters<SoundOpeners['openSpeaker']>
  ) => Promise<Pick<Speaker, 'write' | 'setVolume' | 'end'>>;
  readonly openMicrophone: (
    ...wanted: Parameters<SoundOpeners['openMicrophone']>
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
  /** For each microphone one. */
  readonly openEchoCanceller?: OpenEchoCanceller | undefined;
  /** The settings for noise and loudness; without them nothing is done about either, and no voice is looked for. */
  readonly enhancement?: EnhancementChoice | undefined;
  /** The setting for echoes; where it is left out the devices' names decide. */
  readonly echoMode?: (() => AudioSettings['echo']) | undefined;
}

/** The microphones and speakers of one sound system. They end with the lifetime, if they were not ended before. */
export class SoundDevices implements SoundOpeners {
  /** The driver; what its speakers play is remembered where an echo is looked for. */
  readonly sound: SoundDriver;
  readonly #options: SoundDevicesOptions;
  readonly #farEnd: FarEndSignal | undefined;
  readonly #known = new KnownRoom();
  readonly #speakers = new Set<Speaker>();
  readonly #microphones = new Set<Microphone>();

  constructor(options: SoundDevicesOptions) {
    const { driver, lifetime, openEchoCanceller } = options;
    this.#options = options;
    // Without a canceller nobody asks what was played, and nothing is kept of it.
    this.#farEnd = openEchoCanceller && new FarEndSignal();
    this.sound = this.#farEnd?.watch(driver) ?? driver;
    for (const [name, open] of [
      ['the speakers', this.#speakers],
      ['the microphones', this.#microphones],
    ] as const)
      lifetime.add(async () => {
        await Promise.all([...open].map((one) => one.end()));
      }, name);
  }

  readonly createSpeaker = (options: SpeakerOptions): Speaker => {
    const { clock, lifetime } = this.#options;
    const ended = (one: Speaker): boolean => this.#speakers.delete(one);
    const speaker = new Speaker(options, { driver: this.sound, clock, ended });
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
    const clears = enhancement !== undefined && options.withEcho !== true;
    const microphone = new SupervisedMicrophone(choice, {
      driver: this.sound,
      clock,
      emit: options.emit,
      mayStandIn: options.mayStandIn,
      pipeline: new CapturePipeline(
        sink,
        options,
        this.#echoFor(options),
        clears ? new CaptureEnhancement(enhancement) : undefined,
      ),
      ended: (one) => this.#microphones.delete(one),
    });
    await microphone.begin();
    this.#microphones.add(microphone);
    if (lifetime.hasEnded) void microphone.end();
    return microphone;
  };

  #echoFor({ recorder, withEcho }: MicrophoneOptions): EchoCancellation | undefined {
    const { log, openEchoCanceller, echoMode = () => 'auto' } = this.#options;
    const farEnd = this.#farEnd;
    if (farEnd === undefined || openEchoCanceller === undefined) return undefined;
    if (recorder !== undefined)
      return new EchoCancellation({ farEnd, log, open: () => recorder, wanted: () => true });
    if (withEcho === true) return undefined;
    return new EchoCancellation({
      farEnd,
      log,
      open: openEchoCanceller,
      known: this.#known,
      wanted: (devices) => isEchoCancelled(echoMode(), devices),
    });
  }
}
