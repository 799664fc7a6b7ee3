import type { SeeingSettings } from '../../shared/vision/seeing-settings.ts';
import { GrabTimes } from './grab-times.ts';
import type { Grabber } from './grab-frame.ts';

export interface ShutterNeeds {
  readonly now: () => number;
  /** Runs once after the delay, unless the returned function is called before. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
  readonly createGrabber: (stream: MediaStream) => Grabber;
  /** Whether nobody can see the page. */
  readonly hidden: () => boolean;
  /** Resolves when the core has dealt with it. */
  readonly offer: (jpeg: Uint8Array) => Promise<void>;
}

/** A stream that has just been opened has no picture for a moment. */
const notYetMs = 100;

/** Grabs frames out of an open stream at the wanted rate and offers them to the core. */
export class Shutter {
  readonly #needs: ShutterNeeds;
  #open:
    | { readonly grabber: Grabber; readonly times: GrabTimes; readonly settings: SeeingSettings }
    | undefined;
  #paused = false;
  #grabbing = false;
  #chunkMs = 1000;
  #cancel: () => void = () => undefined;

  constructor(needs: ShutterNeeds) {
    this.#needs = needs;
  }

  open(stream: MediaStream, settings: SeeingSettings): void {
    this.close();
    const grabber = this.#needs.createGrabber(stream);
    this.#open = { grabber, times: new GrabTimes(), settings };
    this.#next();
  }

  set(settings: SeeingSettings): void {
    if (this.#open === undefined) return;
    this.#open = { ...this.#open, settings };
    this.#next();
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
  }

  setChunk(milliseconds: number): void {
    this.#chunkMs = milliseconds;
    this.#next();
  }

  frameSent(): void {
    this.#open?.times.sent(this.#needs.now());
    this.#next();
  }

  close(): void {
    this.#cancel();
    this.#open?.grabber.close();
    this.#open = undefined;
  }

  #next(): void {
    if (this.#open === undefined) return;
    this.#grabAfter(this.#open.times.wait(this.#needs.now(), this.#interval(this.#open.settings)));
  }

  #grabAfter(milliseconds: number): void {
    this.#cancel();
    this.#cancel = this.#needs.after(milliseconds, () => {
      void this.#grab();
    });
  }

  async #grab(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    open.times.grabbed(this.#needs.now());
    this.#next();
    // A slow page or core makes frames fewer; they never pile up.
    if (this.#grabbing || this.#resting(open.settings)) return;
    this.#grabbing = true;
    try {
      const jpeg = await open.grabber.grab(isWhole(open.settings));
      // Meanwhile it may have been closed, and then nothing may leave the page.
      if (this.#open?.grabber !== open.grabber) return;
      if (jpeg === undefined) this.#grabAfter(notYetMs);
      else await this.#needs.offer(jpeg);
    } finally {
      this.#grabbing = false;
    }
  }

  /** Nobody shows something to a camera behind a hidden page; a screen is shared to look at it. */
  #resting({ source }: SeeingSettings): boolean {
    return this.#paused || (source.kind === 'camera' && this.#needs.hidden());
  }

  #interval({ rate }: SeeingSettings): number {
    return rate === 'everyChunk'
      ? this.#chunkMs
      : Math.max(this.#chunkMs, 1000 / rate.framesPerSecond);
  }
}

function isWhole({ source, crop }: SeeingSettings): boolean {
  return source.kind !== 'region' && crop === undefined;
}
