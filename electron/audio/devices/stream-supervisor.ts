import { isSameDevice } from '../../../shared/settings/audio-settings.ts';
import { appError, type AppError, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { DeviceChoice, SoundDevice, SoundDriver } from './sound-driver.ts';

/** A device change to show the user. `device` is the name of the current device. */
export type DeviceEvent =
  /** The chosen device is in use, for the first time or again. */
  | { readonly kind: 'using'; readonly device: string }
  /** The chosen device is gone and the system's default replaced it. */
  | { readonly kind: 'moved'; readonly from: string; readonly device: string }
  /** No device can be used: playback stops, or silence is captured. */
  | { readonly kind: 'lost'; readonly error: AppError };

interface SupervisedStream {
  readonly device: SoundDevice;
  readonly stats: () => { readonly alive: boolean };
  readonly close: () => Promise<void>;
}

interface StreamSupervisorDeps<Stream extends SupervisedStream> {
  readonly clock: Clock;
  readonly open: (choice: DeviceChoice) => Promise<Outcome<Stream>>;
  /** Whether the system's default may replace the chosen device: always for a speaker, by setting for a microphone. */
  readonly allowsSubstitute: () => boolean;
  /** The system's current default; omitted if the system moves streams itself. */
  readonly currentDefault?: (() => Promise<SoundDevice | undefined>) | undefined;
  readonly onOpened: (stream: Stream) => void;
  readonly onGone: (stream: Stream) => void;
  readonly emit: (event: DeviceEvent) => void;
}

/** Often enough to detect a dead device within a second. */
const checkEveryMs = 250;
/**
 * While no stream is open, the pause before the next try is `retryPauseFactor` times the last try's duration, within
 * these limits.
 */
const minRetryMs = 100;
const retryPauseFactor = 4;
const maxRetryMs = 1000;
const emitLostAfterMs = 200;
const followEveryMs = 3000;
const over = (): void => undefined;

/** Keeps a stream open on the chosen device. While that device is missing, the system's default may replace it. */
export class StreamSupervisor<Stream extends SupervisedStream> {
  readonly #deps: StreamSupervisorDeps<Stream>;
  #choice: DeviceChoice;
  #stream: Stream | undefined;
  #isSubstitute = false;
  #lastEmitted: string | undefined;
  #followedAt = 0;
  #stopTimer: () => void = () => undefined;
  #cancelLost: () => void = () => undefined;
  #ended = false;
  /** Detects results of an operation that a newer choice has superseded. */
  #choiceVersion = 0;
  /** The check that runs. It opens and closes streams, so `choose` and `end` wait for it. */
  #checking: Promise<void> | undefined;
  /** Streams that are closing; never rejects. */
  #closing: Promise<void> = Promise.resolve();

  constructor(choice: DeviceChoice, deps: StreamSupervisorDeps<Stream>) {
    this.#choice = choice;
    this.#deps = deps;
  }

  get stream(): Stream | undefined {
    return this.#stream;
  }

  /** Tries to open the device and emits the result. Resolves after this try; a timer tries again until one succeeds. */
  async begin(): Promise<void> {
    await this.#check();
  }

  async choose(choice: DeviceChoice): Promise<void> {
    this.#choice = choice;
    this.#choiceVersion += 1;
    this.#lastEmitted = undefined;
    await this.#release();
    await this.#check();
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#choiceVersion += 1;
    this.#stopTimer();
    this.#cancelLost();
    await this.#release();
    // The caller that began the check gets its error.
    await this.#checking?.catch(() => undefined);
  }

  /** Resolves when no stream is open or closing. */
  async #release(): Promise<void> {
    const stream = this.#stream;
    this.#stream = undefined;
    this.#isSubstitute = false;
    if (stream === undefined) return this.#closing;
    this.#deps.onGone(stream);
    const closed = Promise.all([stream.close(), this.#closing]);
    this.#closing = closed.then(over, over);
    await closed;
  }

  #check(): Promise<void> {
    if (this.#ended) return Promise.resolve();
    this.#checking ??= this.#checkUntilCurrent();
    return this.#checking;
  }

  /** Checks again if another device was chosen meanwhile. */
  async #checkUntilCurrent(): Promise<void> {
    try {
      let version;
      do {
        version = this.#choiceVersion;
        await this.#checkOnce(version);
      } while (version !== this.#choiceVersion && !this.#ended);
    } finally {
      this.#checking = undefined;
    }
  }

  async #checkOnce(version: number): Promise<void> {
    this.#stopTimer();
    const began = this.#deps.clock.now();
    try {
      if (this.#stream?.stats().alive === false) await this.#closeDead(this.#stream);
      const missing = this.#stream === undefined || this.#isSubstitute;
      if (missing || (await this.#systemMoved())) await this.#tryToOpen(version);
    } finally {
      this.#checkLater(began);
    }
  }

  /** Schedules the next check, even if the last one threw. */
  #checkLater(began: number): void {
    if (this.#ended) return;
    const pause = this.#stream === undefined ? this.#pauseAfter(began) : checkEveryMs;
    this.#stopTimer = this.#deps.clock.after(pause, () => void this.#check());
  }

  #pauseAfter(began: number): number {
    const durationMs = this.#deps.clock.now() - began;
    return Math.min(maxRetryMs, Math.max(minRetryMs, durationMs * retryPauseFactor));
  }

  /** Emits the loss only if no stream opens soon, because a device that restarts at once disturbs nobody. */
  async #closeDead(stream: Stream): Promise<void> {
    const error = appError('deviceSilent', { device: stream.device.name });
    this.#cancelLost();
    this.#cancelLost = this.#deps.clock.after(emitLostAfterMs, () => {
      if (this.#stream === undefined) this.#emit('lost', { kind: 'lost', error });
    });
    await this.#release();
  }

  async #systemMoved(): Promise<boolean> {
    const { currentDefault, clock } = this.#deps;
    if (currentDefault === undefined || this.#choice !== 'default') return false;
    if (clock.now() - this.#followedAt < followEveryMs) return false;
    this.#followedAt = clock.now();
    const current = await currentDefault();
    const used = this.#stream?.device;
    if (current === undefined || used === undefined) return false;
    return !isSameDevice(current, used);
  }

  async #tryToOpen(version: number): Promise<void> {
    if (version !== this.#choiceVersion) return;
    const opened = await this.#deps.open(this.#choice);
    if (await this.#isStale(version, opened)) return;
    if (opened.ok) {
      await this.#release();
      // The choice may have changed while the stream closed.
      if (!(await this.#isStale(version, opened))) this.#use(opened.value, false);
      return;
    }
    if (this.#isSubstitute && !this.#deps.allowsSubstitute()) await this.#release();
    if (this.#stream !== undefined) return;
    if (this.#choice !== 'default' && this.#deps.allowsSubstitute()) {
      const substitute = await this.#deps.open('default');
      if (await this.#isStale(version, substitute)) return;
      if (substitute.ok) return this.#use(substitute.value, true);
    }
    this.#emit('lost', { kind: 'lost', error: opened.error });
  }

  async #isStale(version: number, outcome: Outcome<Stream>): Promise<boolean> {
    if (version === this.#choiceVersion && !this.#ended) return false;
    if (outcome.ok) await outcome.value.close();
    return true;
  }

  #use(stream: Stream, isSubstitute: boolean): void {
    this.#stream = stream;
    this.#isSubstitute = isSubstitute;
    this.#deps.onOpened(stream);
    const device = stream.device.name;
    if (isSubstitute && this.#choice !== 'default') {
      this.#emit(`moved ${device}`, { kind: 'moved', from: this.#choice.name, device });
    } else {
      this.#emit(`using ${device}`, { kind: 'using', device });
    }
  }

  #emit(state: string, event: DeviceEvent): void {
    if (this.#lastEmitted === state) return;
    this.#lastEmitted = state;
    this.#deps.emit(event);
  }
}

/** Returns a lookup of the system's default, unless streams follow it automatically. */
export function defaultDevice(
  driver: Pick<SoundDriver, 'systemMovesStreams' | 'devices'>,
  isDefault: (device: SoundDevice) => boolean,
): (() => Promise<SoundDevice | undefined>) | undefined {
  if (driver.systemMovesStreams) return undefined;
  return async () => {
    const devices = await driver.devices();
    return devices.ok ? devices.value.find(isDefault) : undefined;
  };
}
