import type { ListedDevice } from '../../shared/sound/sound-device.ts';
import type { Clock } from '../ports/clock.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { SoundDriver } from '../ports/sound.ts';
import type { SoundHandlers } from './desk-handlers.ts';
import { orRefuse } from '../ipc/refusal.ts';
import type { Post } from './talk-news.ts';
import { WatchingPages } from './watching-pages.ts';

interface Needs {
  readonly sound: Pick<SoundDriver, 'devices'>;
  readonly clock: Clock;
  readonly post: Post;
}

type Devices = readonly ListedDevice[];

/** No system tells of devices that come and go: they are looked for, while a page shows them and only then. */
const lookEveryMs = 3000;

/** The list of sound devices, and what becomes of it while somebody looks at it. */
export class DeviceWatch {
  readonly #needs: Needs;
  readonly #pages = new WatchingPages(() => {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  });
  /** As pages know it. */
  #known: Devices | undefined;
  #stopWaiting: (() => void) | undefined;
  #looking = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  readonly handlers: Pick<SoundHandlers, 'soundDevices' | 'watchSoundDevices'> = {
    soundDevices: async () => orRefuse(await this.#look()),
    watchSoundDevices: ({ on }, page) => {
      this.#pages.set(page, on);
      this.#lookLater();
      return undefined;
    },
  };

  async #look(): Promise<Outcome<Devices>> {
    const found = await this.#needs.sound.devices();
    const before = this.#known;
    // After a look that failed the next list is news in any case: it takes the place of the sentence.
    this.#known = found.ok ? found.value : [];
    if (!found.ok) return found;
    if (this.#pages.any && before !== undefined && !isSameList(before, found.value)) {
      this.#needs.post('soundDevicesChanged', found.value);
    }
    return found;
  }

  /** The next look begins when the one before has ended: a sound system that hangs is not asked twice. */
  #lookLater(): void {
    if (!this.#pages.any || this.#looking || this.#stopWaiting !== undefined) return;
    this.#stopWaiting = this.#needs.clock.after(lookEveryMs, () => {
      this.#stopWaiting = undefined;
      void this.#lookAgain();
    });
  }

  async #lookAgain(): Promise<void> {
    this.#looking = true;
    // Where nothing can be listed, the page keeps what it has: its list, or the sentence it got for one.
    await this.#look();
    this.#looking = false;
    this.#lookLater();
  }
}

function isSameList(one: Devices, other: Devices): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
