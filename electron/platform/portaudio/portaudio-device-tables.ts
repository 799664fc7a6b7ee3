import { failure, type Outcome, describeError } from '../../../shared/errors/app-error.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';
import type { NativeDevice, NativeSound } from './portaudio-addon.ts';

export interface DeviceTable {
  readonly native: NativeSound;
  readonly copy: number;
  readonly devices: readonly NativeDevice[];
  readonly madeAt: number;
}

interface CopyState {
  isStarted: boolean;
  /** The number of open streams. While there are any, the copy must not restart. */
  streams: number;
  /** The number of calls that timed out and have not returned. A sound server that hangs blocks all later calls, too. */
  pendingCalls: number;
}

/** The time limit of a call. Some systems probe many devices, and some drivers switch on a radio. */
export const callTimeoutMs = 4000;
/** The time limit while a call hangs, because others will hang, too, and the exit must not wait. */
export const stuckCallTimeoutMs = 300;

function isFree(state: CopyState | undefined): boolean {
  return state?.streams === 0 && state.pendingCalls === 0;
}

/**
 * PortAudio lists devices only when it starts, and a restart ends its streams. So several copies of it are loaded, and a copy
 * without streams makes each new table.
 *
 * On Linux each stream also gets a copy for itself. PortAudio stores its last error in one place for all threads, so the
 * thread of another stream can overwrite a refusal before it is returned. The refused stream would then count as open.
 */
export class DeviceTables {
  readonly #load: () => NativeSound;
  readonly #canShareCopy: boolean;
  #native: NativeSound | undefined;
  readonly #copies: CopyState[] = [];
  #current: DeviceTable | undefined;

  constructor(load: () => NativeSound, canShareCopy = process.platform !== 'linux') {
    this.#load = load;
    this.#canShareCopy = canShareCopy;
  }

  async current(): Promise<Outcome<DeviceTable>> {
    const table = this.#current;
    if (table !== undefined && this.#copies[table.copy]?.pendingCalls === 0) {
      return { ok: true, value: table };
    }
    return this.renew();
  }

  /**
   * Returns a table for opening a stream. Where streams cannot share a copy, it is on an unused copy if there is one.
   */
  async forStream(): Promise<Outcome<DeviceTable>> {
    const table = await this.current();
    if (!table.ok || this.#canShareCopy || isFree(this.#copies[table.value.copy])) return table;
    return this.renew();
  }

  /** Lists the devices again. If every copy is in use, returns the previous table. */
  async renew(): Promise<Outcome<DeviceTable>> {
    try {
      this.#native ??= this.#load();
      const native = this.#native;
      while (this.#copies.length < native.copies) {
        this.#copies.push({ isStarted: false, streams: 0, pendingCalls: 0 });
      }
      const copy = this.#free();
      if (copy === -1) {
        const table = this.#current;
        const isUsable = table !== undefined && this.#copies[table.copy]?.pendingCalls === 0;
        return isUsable ? { ok: true, value: table } : failure('soundHangs');
      }
      // The restart gives the copy's devices new numbers, even if it fails or answers too late.
      if (this.#current?.copy === copy) this.#current = undefined;
      const devices = await this.run(copy, this.#start(native, copy));
      if (devices === timedOut) return failure('soundHangs');
      this.#current = { native, copy, devices, madeAt: performance.now() };
      return { ok: true, value: this.#current };
    } catch (error) {
      return failure('noSound', {}, { detail: describeError(error) });
    }
  }

  /** Waits for a call to a copy, with a time limit. After a timeout, the copy gets no new stream or table until the call returns. */
  async run<Value>(
    copy: number,
    call: Promise<Value>,
    milliseconds = this.#isStuck ? stuckCallTimeoutMs : callTimeoutMs,
  ): Promise<Value | typeof timedOut> {
    const outcome = await withTimeout(milliseconds, call);
    const state = this.#copies[copy];
    if (outcome !== timedOut || state === undefined) return outcome;
    state.pendingCalls += 1;
    const onReturn = (): void => {
      state.pendingCalls -= 1;
    };
    void call.then(onReturn, onReturn);
    return outcome;
  }

  /** Counts a stream on the copy until the returned function is called. */
  countStream(copy: number): () => void {
    const state = this.#copies[copy];
    if (state !== undefined) state.streams += 1;
    let isCounted = true;
    return () => {
      if (isCounted && state !== undefined) state.streams -= 1;
      isCounted = false;
    };
  }

  get #isStuck(): boolean {
    return this.#copies.some(({ pendingCalls }) => pendingCalls > 0);
  }

  #free(): number {
    const current = this.#current?.copy ?? 0;
    return isFree(this.#copies[current]) ? current : this.#copies.findIndex(isFree);
  }

  async #start(native: NativeSound, copy: number): Promise<readonly NativeDevice[]> {
    const state = this.#copies[copy];
    if (state?.isStarted === true) {
      state.isStarted = false;
      await native.terminate(copy);
    }
    const devices = await native.initialize(copy);
    if (state !== undefined) state.isStarted = true;
    return devices;
  }
}
