import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/sanitize-text.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';
import type { NativeDevice, NativeSound } from './portaudio-addon.ts';

export interface DeviceTable {
  readonly native: NativeSound;
  readonly copy: number;
  readonly devices: readonly NativeDevice[];
  readonly madeAt: number;
}

interface Copy {
  started: boolean;
  /** Open streams; while there are any, the copy must not restart. */
  streams: number;
  /** Calls that have not returned; a hanging sound server blocks them and all later calls. */
  stuck: number;
}

/** Some systems probe many devices, and some drivers open a radio. */
export const callTimeoutMs = 4000;
/** The limit while a call hangs: others will hang too, and the exit must not wait. */
export const stuckCallTimeoutMs = 300;

function isFree(it: Copy | undefined): boolean {
  return it?.streams === 0 && it.stuck === 0;
}

/**
 * PortAudio lists devices only when it starts, and a restart ends its streams. Several copies are loaded, and a
 * copy without streams makes a new table.
 * On Linux each stream also gets its own copy: PortAudio keeps its last error in one place for all threads.
 * Another stream's thread can overwrite a refusal before it is returned. The refused stream would then count as
 * open, at a rate the device lacks or without a device.
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

  async current(): Promise<Outcome<DeviceTable>> {
    const table = this.#current;
    if (table !== undefined && this.#copies[table.copy]?.stuck === 0) {
      return { ok: true, value: table };
    }
    return this.renew();
  }

  /** A table for opening a stream, on an unused copy if there is one. */
  async forStream(): Promise<Outcome<DeviceTable>> {
    const table = await this.current();
    if (!table.ok || this.#streamsShare || isFree(this.#copies[table.value.copy])) return table;
    return this.renew();
  }

  /** Lists the devices again. If every copy is in use, returns the previous table. */
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

  /** Waits for a call to a copy, with a time limit. After a timeout the copy is unused until the call returns. */
  async run<Value>(
    copy: number,
    call: Promise<Value>,
    milliseconds = this.#isStuck ? stuckCallTimeoutMs : callTimeoutMs,
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

  /** Counts a stream on the copy until the returned function is called. */
  hold(copy: number): () => void {
    const it = this.#copies[copy];
    if (it !== undefined) it.streams += 1;
    let isHeld = true;
    return () => {
      if (isHeld && it !== undefined) it.streams -= 1;
      isHeld = false;
    };
  }

  get #isStuck(): boolean {
    return this.#copies.some(({ stuck }) => stuck > 0);
  }

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
