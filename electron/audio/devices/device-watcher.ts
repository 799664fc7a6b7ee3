import type { ListedDevice } from '../../../shared/audio/listed-device.ts';
import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { SoundHandlers } from '../../../shared/ipc/audio-ipc.ts';
import type { PostNotice } from '../../../shared/ipc/contract.ts';
import { WatchingPages } from '../../../shared/ipc/page.ts';
import { unwrap } from '../../../shared/ipc/reply.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { SoundDriver } from './sound-driver.ts';

interface DeviceWatcherDeps {
  readonly sound: Pick<SoundDriver, 'devices'>;
  readonly clock: Clock;
  readonly post: PostNotice;
}

type Devices = readonly ListedDevice[];

/** No system reports devices that come and go: they are looked for, while a page shows them and only then. */
const lookEveryMs = 3000;

/** The list of sound devices, and what becomes of it while somebody looks at it. */
export class DeviceWatcher {
  readonly #deps: DeviceWatcherDeps;
  readonly #pages = new WatchingPages(() => {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  });
  /** As pages know it. */
  #known: Devices | undefined;
  #stopWaiting: (() => void) | undefined;
  #checking = false;

  constructor(deps: DeviceWatcherDeps) {
    this.#deps = deps;
  }

  readonly handlers: Pick<SoundHandlers, 'soundDevices' | 'watchSoundDevices'> = {
    soundDevices: async () => unwrap(await this.#list()),
    watchSoundDevices: ({ on }, page) => {
      this.#pages.set(page, on);
      this.#scheduleCheck();
      return undefined;
    },
  };

  async #list(): Promise<Outcome<Devices>> {
    const found = await this.#deps.sound.devices();
    const before = this.#known;
    // After a look that failed the next list is posted in any case: it replaces the sentence.
    this.#known = found.ok ? found.value : [];
    if (!found.ok) return found;
    if (this.#pages.any && before !== undefined && !isSameList(before, found.value)) {
      this.#deps.post('soundDevicesChanged', found.value);
    }
    return found;
  }

  /** The next look begins when the one before has ended: a sound system that hangs is not asked twice. */
  #scheduleCheck(): void {
    if (!this.#pages.any || this.#checking || this.#stopWaiting !== undefined) return;
    this.#stopWaiting = this.#deps.clock.after(lookEveryMs, () => {
      this.#stopWaiting = undefined;
      void this.#check();
    });
  }

  async #check(): Promise<void> {
    this.#checking = true;
    try {
      // Where nothing can be listed, the page keeps what it has: its list, or the sentence it got for one.
      await this.#list();
    } finally {
      this.#checking = false;
      this.#scheduleCheck();
    }
  }
}

function isSameList(one: Devices, other: Devices): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
