import { isSameDevice } from '../../../shared/audio/listed-device.ts';
import type { LoopbackResult, MeterEvent } from '../../../shared/audio/sound-tests.ts';
import { appError, type Outcome } from '../../../shared/errors/app-error.ts';
import type { SoundHandlers } from '../../../shared/ipc/audio-ipc.ts';
import type { PostNotice } from '../../../shared/ipc/contract.ts';
import { RequestRefusedError, unwrap } from '../../../shared/ipc/reply.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { AudioSettings } from '../../../shared/settings/audio-settings.ts';
import type { SettingsReader } from '../../../shared/settings/settings.ts';
import type { AudioSink } from '../capture/capture-pipeline.ts';
import type { Microphone } from '../capture/microphone.ts';
import type { SoundOpeners, Speaker } from '../playback/speaker.ts';
import { DeviceLease, type DeviceLock } from './device-lease.ts';
import { DeviceWatcher } from './device-watcher.ts';
import { testLoopback } from './loopback-test.ts';
import { OwnSoundController } from './own-sound-controller.ts';
import type { DeviceChoice, SoundDriver } from './sound-driver.ts';
import type { DeviceEvent } from './stream-supervisor.ts';

export interface SoundHandlerDeps extends Pick<SoundOpeners, 'openMicrophone'> {
  /** With its device open. */
  readonly openSpeaker: (
    device: DeviceChoice,
    emit: (event: DeviceEvent) => void,
  ) => Promise<Speaker>;
  readonly sound: Pick<SoundDriver, 'devices'>;
  readonly settings: SettingsReader;
  readonly clock: Clock;
  readonly lock: DeviceLock;
  readonly post: PostNotice;
}

/** What the requests about sound devices do. Those that are used are those of the settings. */
export function createSoundHandlers(deps: SoundHandlerDeps): SoundHandlers {
  const { settings, lock, post } = deps;
  let shown: MicrophoneLevelMeter | undefined;
  const meter = new DeviceLease<MicrophoneLevelMeter>({
    lock,
    close: (begun) => begun.end(),
    stopped: () => {
      post('microphoneMeter', { kind: 'stopped' });
    },
  });
  settings.listen((event) => {
    if (event.kind === 'changed') shown?.set(event.settings.audio);
  });
  const test = new DeviceLease<LoopbackTest>({
    lock,
    close: (begun) => begun.stop(),
    stopped: () => undefined,
  });

  const ownSound = new OwnSoundController(deps);

  const openMeter = async (): Promise<Outcome<MicrophoneLevelMeter>> => {
    shown = new MicrophoneLevelMeter(settings.get().audio, deps, (event) => {
      post('microphoneMeter', event);
    });
    return { ok: true, value: await shown.opened() };
  };

  return {
    ...new DeviceWatcher(deps).handlers,
    meterMicrophone: async ({ on }, page) => {
      if (!on) {
        await meter.cancel();
        return undefined;
      }
      return unwrap(await meter.begin(page, openMeter));
    },
    recordOwnSound: (_input, page) => ownSound.record(page),
    playOwnSound: ({ as }, page) => ownSound.play(as, page),
    forgetOwnSound: () => ownSound.forget(),
    testSound: async (_input, page) => {
      const begun = new LoopbackTest(deps);
      unwrap(await test.begin(page, () => Promise.resolve({ ok: true, value: begun })));
      const result = await begun.run();
      test.ended(begun);
      if (begun.stopped) {
        throw new RequestRefusedError(appError('testStopped'));
      }
      return result;
    },
  };
}

type TestDeps = Pick<SoundHandlerDeps, 'openSpeaker' | 'openMicrophone' | 'clock' | 'settings'>;

/** The test's devices can be taken from it in the middle. */
class LoopbackTest {
  readonly #deps: TestDeps;
  readonly #ends: (() => Promise<void>)[] = [];
  stopped = false;

  constructor(deps: TestDeps) {
    this.#deps = deps;
  }

  run(): Promise<LoopbackResult> {
    const { openSpeaker, openMicrophone, clock, settings } = this.#deps;
    const openers: Pick<TestDeps, 'openSpeaker' | 'openMicrophone'> = {
      openSpeaker: (choice, emit) => this.#keep(openSpeaker(choice, emit)),
      openMicrophone: (choice, sink, options) => this.#keep(openMicrophone(choice, sink, options)),
    };
    return testLoopback({ ...openers, clock }, settings.get().audio);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.#ends.map((end) => end()));
  }

  async #keep<Device extends { end(): Promise<void> }>(opening: Promise<Device>): Promise<Device> {
    const device = await opening;
    this.#ends.push(() => device.end());
    if (this.stopped) await device.end();
    return device;
  }
}

const nobody: AudioSink = { pushAudio: () => undefined };

/** A microphone whose level is shown, and nothing else is done with its sound. */
class MicrophoneLevelMeter {
  readonly #microphone: Promise<Microphone>;
  #audio: AudioSettings;

  constructor(
    audio: AudioSettings,
    { openMicrophone }: Pick<SoundOpeners, 'openMicrophone'>,
    emit: (event: MeterEvent) => void,
  ) {
    this.#audio = audio;
    this.#microphone = openMicrophone(audio.microphone, nobody, {
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
