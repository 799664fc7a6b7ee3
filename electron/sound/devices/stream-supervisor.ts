import { appError } from '../../../shared/errors/app-error.ts';
import type { AppError } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { DeviceChoice, SoundDevice } from '../../ports/sound.ts';

/** What becomes of a device, for the person. `device` is the name of what is used now. */
export type DeviceEvent =
  /** The device that is wanted is in use, for the first time or again. */
  | { readonly kind: 'using'; readonly device: string }
  /** The wanted device is gone and the system's own took its place. */
  | { readonly kind: 'moved'; readonly from: string; readonly device: string }
  /** No device: nothing is played, or silence is captured. */
  | { readonly kind: 'lost'; readonly error: AppError };

interface KeptStream {
  readonly device: SoundDevice;
  readonly stats: () => { readonly alive: boolean };
  readonly close: () => Promise<void>;
}

interface Deps<Stream extends KeptStream> {
  readonly clock: Clock;
  readonly open: (choice: DeviceChoice) => Promise<Outcome<Stream>>;
  /** Whether another device may stand in for the wanted one: a speaker yes, a microphone never. */
  readonly substitutes: boolean;
  /** The system's own device now; not given where the system moves streams by itself. */
  readonly standard?: (() => Promise<SoundDevice | undefined>) | undefined;
  readonly opened: (stream: Stream) => void;
  readonly gone: (stream: Stream) => void;
  readonly emit: (news: DeviceEvent) => void;
}

/** A dead device must be noticed within a second. */
const lookEveryMs = 250;
/** While there is nothing to hear, somebody waits; but not so often that trying is all that is done. */
const retryEveryMs = 100;
const pauseForEachTry = 4;
const longestPauseMs = 1000;
/** Where opening anew takes longer than this, a device that died is told of before. */
const tellAfterMs = 200;
const followEveryMs = 3000;

/**
 * Keeps a stream open on the device that is wanted. A device that dies is noticed, the system's own
 * may stand in for it, and the wanted one is taken back when it returns.
 */
export class StreamSupervisor<Stream extends KeptStream> {
  readonly #deps: Deps<Stream>;
  #choice: DeviceChoice;
  #stream: Stream | undefined;
  #standsIn = false;
  #told: string | undefined;
  #followedAt = 0;
  #stopTimer: () => void = () => undefined;
  #stopTelling: () => void = () => undefined;
  #ended = false;
  /** Opens and closes happen one after the other; what comes back late belongs to an older wish. */
  #wish = 0;
  #working = false;

  constructor(choice: DeviceChoice, deps: Deps<Stream>) {
    this.#choice = choice;
    this.#deps = deps;
  }

  get stream(): Stream | undefined {
    return this.#stream;
  }

  /** Opens the device; how that went is told, and tried again until it goes well. */
  async begin(): Promise<void> {
    await this.#seek();
  }

  async choose(choice: DeviceChoice): Promise<void> {
    this.#choice = choice;
    this.#wish += 1;
    this.#told = undefined;
    await this.#letGo();
    await this.#seek();
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#wish += 1;
    this.#stopTimer();
    this.#stopTelling();
    await this.#letGo();
  }

  async #letGo(): Promise<void> {
    const stream = this.#stream;
    this.#stream = undefined;
    this.#standsIn = false;
    if (stream === undefined) return;
    this.#deps.gone(stream);
    await stream.close();
  }

  /** Looks after the stream, or for one; then again in a moment. */
  async #seek(): Promise<void> {
    if (this.#working || this.#ended) return;
    this.#working = true;
    this.#stopTimer();
    const wish = this.#wish;
    const began = this.#deps.clock.now();
    try {
      if (this.#stream?.stats().alive === false) await this.#bury(this.#stream);
      const seeks = this.#stream === undefined || this.#standsIn;
      if (seeks || (await this.#systemMoved())) await this.#tryToOpen(wish);
    } finally {
      this.#working = false;
      this.#seekLater(began);
    }
    if (wish !== this.#wish) await this.#seek();
  }

  /** Also after a look that has failed as none may. */
  #seekLater(began: number): void {
    if (this.#ended) return;
    const pause = this.#stream === undefined ? this.#pauseAfter(began) : lookEveryMs;
    this.#stopTimer = this.#deps.clock.after(pause, () => {
      void this.#seek();
    });
  }

  #pauseAfter(began: number): number {
    const took = this.#deps.clock.now() - began;
    return Math.min(longestPauseMs, Math.max(retryEveryMs, took * pauseForEachTry));
  }

  /** Lets a dead stream go; closing it, and finding another, may take its time. */
  async #bury(stream: Stream): Promise<void> {
    const error = appError('deviceSilent', { device: stream.device.name });
    this.#stopTelling();
    this.#stopTelling = this.#deps.clock.after(tellAfterMs, () => {
      if (this.#stream === undefined) this.#say('lost', { kind: 'lost', error });
    });
    await this.#letGo();
  }

  /** Whether the system's own device, which is wanted, has become another one. */
  async #systemMoved(): Promise<boolean> {
    const { standard, clock } = this.#deps;
    if (standard === undefined || this.#choice !== 'default') return false;
    if (clock.now() - this.#followedAt < followEveryMs) return false;
    this.#followedAt = clock.now();
    const now = await standard();
    const used = this.#stream?.device;
    if (now === undefined || used === undefined) return false;
    return now.name !== used.name || now.hostApi !== used.hostApi;
  }

  async #tryToOpen(wish: number): Promise<void> {
    if (wish !== this.#wish) return;
    const wanted = await this.#deps.open(this.#choice);
    if (await this.#isStale(wish, wanted)) return;
    if (wanted.ok) {
      await this.#letGo();
      // Letting go takes its time, too.
      if (!(await this.#isStale(wish, wanted))) this.#take(wanted.value, false);
      return;
    }
    if (this.#stream !== undefined) return;
    if (this.#choice !== 'default' && this.#deps.substitutes) {
      const other = await this.#deps.open('default');
      if (await this.#isStale(wish, other)) return;
      if (other.ok) {
        this.#take(other.value, true);
        return;
      }
    }
    this.#say('lost', { kind: 'lost', error: wanted.error });
  }

  async #isStale(wish: number, outcome: Outcome<Stream>): Promise<boolean> {
    if (wish === this.#wish && !this.#ended) return false;
    if (outcome.ok) await outcome.value.close();
    return true;
  }

  #take(stream: Stream, standsIn: boolean): void {
    this.#stream = stream;
    this.#standsIn = standsIn;
    this.#deps.opened(stream);
    const device = stream.device.name;
    if (standsIn && this.#choice !== 'default') {
      this.#say(`moved ${device}`, { kind: 'moved', from: this.#choice.name, device });
    } else {
      this.#say(`using ${device}`, { kind: 'using', device });
    }
  }

  /** The same is told once, however often it is tried. */
  #say(what: string, news: DeviceEvent): void {
    if (this.#told === what) return;
    this.#told = what;
    this.#deps.emit(news);
  }
}
