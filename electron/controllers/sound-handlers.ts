import { appError } from '../../shared/errors/app-error.ts';
import type { LoopbackResult } from '../../shared/sound/loopback-result.ts';
import { testLoopback } from '../sound/devices/loopback-test.ts';
import { unwrap, RequestRefusedError } from '../ipc/request-refused-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { DeviceChoice, SoundDriver } from '../ports/sound.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { SoundHandlers } from './controller-handlers.ts';
import { DeviceWatcher } from './device-watcher.ts';
import { MicrophoneLevelMeter } from './microphone-level-meter.ts';
import { OwnSoundController } from './own-sound-controller.ts';
import type { DeviceLock } from './device-lock.ts';
import { DeviceLease } from './device-lease.ts';
import type { DeviceEvent } from '../sound/devices/stream-supervisor.ts';
import type { Speaker, SoundOpeners } from '../sound/playback/speaker.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';

export interface SoundHandlerDeps extends Pick<SoundOpeners, 'openMicrophone'> {
  /** With its device open. */
  readonly openSpeaker: (
    device: DeviceChoice,
    emit: (event: DeviceEvent) => void,
  ) => Promise<Speaker>;
  readonly sound: Pick<SoundDriver, 'devices'>;
  readonly settings: Pick<SettingsStore, 'get' | 'listen'>;
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
