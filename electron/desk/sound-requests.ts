import type { LoopbackResult } from '../../shared/sound/loopback-result.ts';
import { testLoopback } from '../audio/loopback-test.ts';
import { orRefuse, Refusal } from '../ipc/refusal.ts';
import type { Clock } from '../ports/clock.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { SoundDriver } from '../ports/sound.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { SoundHandlers } from './desk-handlers.ts';
import { DeviceWatch } from './device-watch.ts';
import { MicrophoneMeter } from './microphone-meter.ts';
import type { SoundTurns } from './sound-turns.ts';
import { SoundUse } from './sound-use.ts';
import type { SoundOpeners } from './talk-devices.ts';
import type { Post } from './talk-news.ts';

export interface SoundDeskNeeds extends SoundOpeners {
  readonly sound: Pick<SoundDriver, 'devices'>;
  readonly settings: Pick<SettingsStore, 'get' | 'listen'>;
  readonly clock: Clock;
  readonly turns: SoundTurns;
  readonly post: Post;
}

/** What the requests about sound devices do. Those that are used are those of the settings. */
export function createSoundHandlers(needs: SoundDeskNeeds): SoundHandlers {
  const { settings, turns, post } = needs;
  let shown: MicrophoneMeter | undefined;
  const meter = new SoundUse<MicrophoneMeter>({
    turns,
    close: (begun) => begun.end(),
    stopped: () => {
      post('microphoneMeter', { kind: 'stopped' });
    },
  });
  settings.listen((news) => {
    if (news.kind === 'changed') shown?.set(news.settings.audio);
  });
  const test = new SoundUse<LoopbackTest>({
    turns,
    close: (begun) => begun.stop(),
    stopped: () => undefined,
  });

  const openMeter = async (): Promise<Outcome<MicrophoneMeter>> => {
    shown = new MicrophoneMeter(settings.get().audio, needs, (news) => {
      post('microphoneMeter', news);
    });
    return { ok: true, value: await shown.opened() };
  };

  return {
    ...new DeviceWatch(needs).handlers,
    meterMicrophone: async ({ on }, page) => {
      if (!on) {
        await meter.cancel();
        return undefined;
      }
      return orRefuse(await meter.begin(page, openMeter));
    },
    testSound: async (_input, page) => {
      const begun = new LoopbackTest(needs);
      orRefuse(await test.begin(page, () => Promise.resolve({ ok: true, value: begun })));
      const result = await begun.run();
      await test.take();
      if (begun.stopped) {
        throw new Refusal('The test was stopped: something else needs the sound.', 'testStopped');
      }
      return result;
    },
  };
}

type TestNeeds = Pick<SoundDeskNeeds, 'openSpeaker' | 'openMicrophone' | 'clock' | 'settings'>;

/** The test's devices can be taken from it in the middle. */
class LoopbackTest {
  readonly #needs: TestNeeds;
  readonly #ends: (() => Promise<void>)[] = [];
  stopped = false;

  constructor(needs: TestNeeds) {
    this.#needs = needs;
  }

  run(): Promise<LoopbackResult> {
    const { openSpeaker, openMicrophone, clock, settings } = this.#needs;
    const ways: SoundOpeners = {
      openSpeaker: (choice, tell) => this.#keep(openSpeaker(choice, tell)),
      openMicrophone: (choice, hear, tell) => this.#keep(openMicrophone(choice, hear, tell)),
    };
    return testLoopback({ ...ways, clock }, settings.get().audio);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.#ends.map((end) => end()));
  }

  async #keep<Device extends { readonly end: () => Promise<void> }>(
    opening: Promise<Device>,
  ): Promise<Device> {
    const device = await opening;
    this.#ends.push(device.end);
    if (this.stopped) await device.end();
    return device;
  }
}
