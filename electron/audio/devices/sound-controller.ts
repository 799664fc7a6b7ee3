import { isSameDevice } from '../../../shared/audio/listed-device.ts';
import type { MeterEvent } from '../../../shared/audio/sound-tests.ts';
import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { SoundHandlers } from '../../../shared/ipc/audio-ipc.ts';
import type { Page } from '../../../shared/ipc/page.ts';
import { unwrap } from '../../../shared/ipc/reply.ts';
import type { AudioSettings } from '../../../shared/settings/audio-settings.ts';
import type { AudioSink } from '../capture/capture-pipeline.ts';
import type { Microphone } from '../capture/microphone.ts';
import { DeviceLease } from './device-lease.ts';
import { DeviceWatcher } from './device-watcher.ts';
import { LoopbackTest } from './loopback-test.ts';
import { OwnSoundController } from './own-sound-controller.ts';
import type { SoundControllerDeps, SoundOpeners } from './sound-devices.ts';
import type { SoundDriver } from './sound-driver.ts';

interface Deps extends SoundControllerDeps {
  readonly sound: Pick<SoundDriver, 'devices'>;
}

/** Answers what pages ask about sound devices. Those that are used are those of the settings. */
export class SoundController {
  readonly #deps: Deps;
  readonly #watcher: DeviceWatcher;
  readonly #ownSound: OwnSoundController;
  readonly #metering: DeviceLease<MicrophoneLevelMeter>;
  readonly #testing: DeviceLease<LoopbackTest>;
  #meter: MicrophoneLevelMeter | undefined;
  readonly handlers: SoundHandlers;

  constructor(deps: Deps) {
    const { lock, post, settings } = deps;
    this.#deps = deps;
    this.#watcher = new DeviceWatcher(deps);
    this.#ownSound = new OwnSoundController(deps);
    this.#metering = new DeviceLease({
      lock,
      close: (meter) => meter.end(),
      stopped: () => {
        post('microphoneMeter', { kind: 'stopped' });
      },
    });
    this.#testing = new DeviceLease({
      lock,
      close: (test) => test.end(),
      // The answer to its request tells the page why.
      stopped: () => undefined,
    });
    settings.listen((event) => {
      if (event.kind === 'changed') this.#meter?.set(event.settings.audio);
    });
    this.handlers = {
      ...this.#watcher.handlers,
      meterMicrophone: ({ on }, page) => this.#showLevel(on, page),
      recordOwnSound: (_input, page) => this.#ownSound.record(page),
      playOwnSound: ({ as }, page) => this.#ownSound.play(as, page),
      forgetOwnSound: () => this.#ownSound.forget(),
      testSound: async (_input, page) => {
        const { devices, clock } = deps;
        const test = new LoopbackTest(devices, clock, settings.get().audio);
        const open = (): Promise<Outcome<LoopbackTest>> =>
          Promise.resolve({ ok: true, value: test });
        return unwrap(await this.#testing.run(page, open, () => test.run()));
      },
    };
  }

  async #showLevel(on: boolean, page: Page): Promise<undefined> {
    if (on) return unwrap(await this.#metering.begin(page, () => this.#openMeter()));
    await this.#metering.cancel();
    return undefined;
  }

  async #openMeter(): Promise<Outcome<MicrophoneLevelMeter>> {
    const { devices, settings, post } = this.#deps;
    this.#meter = new MicrophoneLevelMeter(settings.get().audio, devices, (event) => {
      post('microphoneMeter', event);
    });
    return { ok: true, value: await this.#meter.opened() };
  }
}

const nobody: AudioSink = { pushAudio: () => undefined };

/** A microphone whose level is shown, and nothing else is done with its sound. */
class MicrophoneLevelMeter {
  readonly #microphone: Promise<Microphone>;
  #audio: AudioSettings;

  constructor(audio: AudioSettings, devices: SoundOpeners, emit: (event: MeterEvent) => void) {
    this.#audio = audio;
    this.#microphone = devices.openMicrophone(audio.microphone, nobody, {
      gain: () => this.#audio.inputVolume,
      onLevel: ({ rmsDb, peakDb, clipped }) => {
        emit({ kind: 'level', rmsDb, peakDb, clipped });
      },
      emit: (event) => {
        if (event.kind === 'lost') emit({ kind: 'problem', error: event.error });
        else emit({ kind: 'using', device: event.device });
      },
    });
  }

  async opened(): Promise<this> {
    await this.#microphone;
    return this;
  }

  /** Another microphone, or another volume, while it is looked at. */
  set(audio: AudioSettings): void {
    const before = this.#audio;
    this.#audio = audio;
    if (isSameDevice(before.microphone, audio.microphone)) return;
    void this.#microphone.then((microphone) => microphone.choose(audio.microphone));
  }

  readonly end = async (): Promise<void> => {
    const microphone = await this.#microphone;
    await microphone.end();
  };
}
