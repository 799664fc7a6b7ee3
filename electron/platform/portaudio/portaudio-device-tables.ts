import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/harmless-text.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';
import type { NativeDevice, NativeSound } from './portaudio-addon.ts';

/** Devices as one copy of PortAudio knows them. */
export interface DeviceTable {
  readonly native: NativeSound;
  readonly copy: number;
  readonly devices: readonly NativeDevice[];
  readonly madeAt: number;
}

interface Copy {
  started: boolean;
  /** Streams that stand on it: it must not be started anew. */
  streams: number;
  /** Calls that do not come back; a sound server that hangs holds them up, and whoever comes next. */
  stuck: number;
}

/** Some systems try many devices, and one of them opens a radio. */
export const patienceMs = 4000;
/** Where one call does not come back others will not either, and nobody may be kept from going. */
export const patienceWhileStuckMs = 300;

function isFree(it: Copy | undefined): boolean {
  return it?.streams === 0 && it.stuck === 0;
}

/**
 * PortAudio knows only the devices of its start, and to start it anew ends its streams. It is loaded
 * several times for that: a new table is made by a copy that no stream stands on.
 *
 * Streams do not share a copy either, on Linux: there PortAudio keeps its last error in one place for all its
 * threads. While another stream's thread is at work, a refusal can be overwritten before it is returned, and
 * what was refused is then taken for open, at a rate that the device does not have or with no device at all.
 */
export class DeviceTables {
  readonly #load: () => NativeSound;
  readonly #streamsShare: boolean;
  #native: NativeSound | undefined;
  readonly #copies: Copy[] = [];
  #current: DeviceTable | undefined;

  constructor(load: () => NativeSound, streamsShare = process.platform !== 'linux') {
    this.#load = load;
    this.#streamsShare = streamsShare;
  }

  /** The newest table there is; one is made where there is none that can be used. */
  async current(): Promise<Outcome<DeviceTable>> {
    const table = this.#current;
    if (table !== undefined && this.#copies[table.copy]?.stuck === 0) {
      return { ok: true, value: table };
    }
    return this.renew();
  }

  /** One to open a stream with: nothing stands on its copy yet, as long as there is such a one. */
  async forStream(): Promise<Outcome<DeviceTable>> {
    const table = await this.current();
    if (!table.ok || this.#streamsShare || isFree(this.#copies[table.value.copy])) return table;
    return this.renew();
  }

  /** The devices there are now. Where every copy is in use it is the table that was. */
  async renew(): Promise<Outcome<DeviceTable>> {
    try {
      this.#native ??= this.#load();
      const native = this.#native;
      while (this.#copies.length < native.copies) {
        this.#copies.push({ started: false, streams: 0, stuck: 0 });
      }
      const copy = this.#free();
      if (copy === -1) {
        const table = this.#current;
        const usable = table !== undefined && this.#copies[table.copy]?.stuck === 0;
        return usable ? { ok: true, value: table } : failure('soundHangs');
      }
      const devices = await this.run(copy, this.#start(native, copy));
      if (devices === timedOut) return failure('soundHangs');
      this.#current = { native, copy, devices, madeAt: performance.now() };
      return { ok: true, value: this.#current };
    } catch (error) {
      return failure('noSound', {}, { detail: describeError(error) });
    }
  }

  /** Waits for a call to that copy; where it takes too long, the copy is left alone until it has come back. */
  async run<Value>(
    copy: number,
    call: Promise<Value>,
    milliseconds = this.#isStuck ? patienceWhileStuckMs : patienceMs,
  ): Promise<Value | typeof timedOut> {
    const outcome = await withTimeout(milliseconds, call);
    const it = this.#copies[copy];
    if (outcome !== timedOut || it === undefined) return outcome;
    it.stuck += 1;
    const unstick = (): void => {
      it.stuck -= 1;
    };
    void call.then(unstick, unstick);
    return outcome;
  }

  /** From now on a stream stands on the copy, until what is returned is called. */
  hold(copy: number): () => void {
    const it = this.#copies[copy];
    if (it !== undefined) it.streams += 1;
    let held = true;
    return () => {
      if (held && it !== undefined) it.streams -= 1;
      held = false;
    };
  }

  get #isStuck(): boolean {
    return this.#copies.some(({ stuck }) => stuck > 0);
  }

  /** The one in use where it can be, so that most of the time there is only one. */
  #free(): number {
    const current = this.#current?.copy ?? 0;
    return isFree(this.#copies[current]) ? current : this.#copies.findIndex(isFree);
  }

  async #start(native: NativeSound, copy: number): Promise<readonly NativeDevice[]> {
    const it = this.#copies[copy];
    if (it?.started === true) {
      it.started = false;
      await native.terminate(copy);
    }
    const devices = await native.initialize(copy);
    if (it !== undefined) it.started = true;
    return devices;
  }
}
