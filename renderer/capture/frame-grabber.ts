import type { OfferedFrame } from '../../shared/vision/vision-frame.ts';
import type { VisionOptions } from '../../shared/vision/vision-options.ts';
import type { FrameSnapshotter, GrabPurpose } from './frame-snapshotter.ts';

export interface FrameGrabberDeps {
  readonly now: () => number;
  readonly after: (milliseconds: number, run: () => void) => () => void;
  readonly createSnapshotter: (stream: MediaStream) => FrameSnapshotter;
  readonly hidden: () => boolean;
  readonly offer: (frame: OfferedFrame) => Promise<void>;
}

/** A new stream has no picture for a moment. */
const retryMs = 100;

/** Grabs frames from an open stream at the wanted rate and offers them to the core. */
export class FrameGrabber {
  readonly #deps: FrameGrabberDeps;
  #open:
    | {
        readonly snapshotter: FrameSnapshotter;
        readonly schedule: GrabSchedule;
        readonly settings: VisionOptions;
      }
    | undefined;
  #paused = false;
  #frozen = false;
  /** The frozen picture. It is offered repeatedly, as if the camera saw a still scene. */
  #frozenFrame: OfferedFrame | undefined;
  #active = true;
  #grabbing = false;
  #chunkMs = 1000;
  #cancel: () => void = () => undefined;

  constructor(deps: FrameGrabberDeps) {
    this.#deps = deps;
  }

  open(stream: MediaStream, settings: VisionOptions): void {
    this.close();
    const snapshotter = this.#deps.createSnapshotter(stream);
    this.#open = { snapshotter, schedule: new GrabSchedule(), settings };
    this.#next();
  }

  set(settings: VisionOptions): void {
    if (this.#open === undefined) return;
    this.#open = { ...this.#open, settings };
    this.#next();
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
  }

  setFrozen(frozen: boolean): void {
    this.#frozen = frozen;
    this.#frozenFrame = undefined;
    if (this.#open !== undefined) this.#grabAfter(0);
  }

  dropFrozenFrame(): void {
    this.#frozenFrame = undefined;
  }

  setActive(active: boolean): void {
    const began = active && !this.#active;
    this.#active = active;
    if (began && this.#open !== undefined) this.#grabAfter(0);
  }

  setChunk(milliseconds: number): void {
    this.#chunkMs = milliseconds;
    this.#next();
  }

  frameSent(): void {
    this.#open?.schedule.sent(this.#deps.now());
    this.#next();
  }

  close(): void {
    this.#cancel();
    this.#open?.snapshotter.close();
    this.#open = undefined;
  }

  #next(): void {
    if (this.#open === undefined) return;
    this.#grabAfter(
      this.#open.schedule.wait(this.#deps.now(), this.#interval(this.#open.settings)),
    );
  }

  #grabAfter(milliseconds: number): void {
    this.#cancel();
    this.#cancel = this.#deps.after(milliseconds, () => void this.#grab());
  }

  async #grab(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    open.schedule.grabbed(this.#deps.now());
    this.#next();
    const freezesNow = this.#frozen && this.#frozenFrame === undefined;
    // A slow page or core reduces the frame rate; frames never queue up.
    if (this.#grabbing) {
      if (freezesNow) this.#grabAfter(retryMs);
      return;
    }
    if (this.#paused || (!freezesNow && this.#isIdle(open.settings))) return;
    this.#grabbing = true;
    try {
      const purpose = grabPurpose(open.settings, freezesNow);
      const frame = this.#frozenFrame ?? (await open.snapshotter.grab(purpose));
      // The capture may have been closed or paused meanwhile; then no frame may leave the page.
      if (this.#open?.snapshotter !== open.snapshotter || this.#paused) return;
      if (frame === undefined) {
        this.#grabAfter(retryMs);
        return;
      }
      if (this.#frozen) this.#frozenFrame ??= frame;
      if (this.#active) await this.#deps.offer(frame);
    } finally {
      this.#grabbing = false;
    }
  }

  /** A camera rests while the page is hidden. A shared screen or a frozen picture is still wanted then. */
  #isIdle({ source }: VisionOptions): boolean {
    if (!this.#active) return true;
    return source.kind === 'camera' && this.#frozenFrame === undefined && this.#deps.hidden();
  }

  #interval({ rate }: VisionOptions): number {
    return rate === 'everyChunk'
      ? this.#chunkMs
      : Math.max(this.#chunkMs, 1000 / rate.framesPerSecond);
  }
}

/** Screens have small text, and a frozen picture may be cropped later, so both stay large. */
function grabPurpose({ source, crop, slices }: VisionOptions, freezesNow: boolean): GrabPurpose {
  if (source.kind === 'region' || crop !== undefined) return { kind: 'part' };
  return source.kind === 'camera' && !freezesNow ? { kind: 'ready', slices } : { kind: 'whole' };
}

/** The time from grabbing to being ready for a chunk: encoding, transfer to the core, preparation. */
const leadMs = 150;

/** Grabs once per interval. Once the times of sends are known, it grabs 150 ms before the next one. */
class GrabSchedule {
  #grabbedAt: number | undefined;
  #sentAt: number | undefined;

  grabbed(at: number): void {
    this.#grabbedAt = at;
  }

  sent(at: number): void {
    this.#sentAt = at;
  }

  wait(now: number, intervalMs: number): number {
    if (this.#grabbedAt === undefined) return 0;
    const due = this.#grabbedAt + intervalMs;
    const known = this.#sentAt !== undefined && now - this.#sentAt < 2 * intervalMs;
    if (!known || this.#sentAt === undefined) return Math.max(0, due - now);
    // The core rejects a second frame within half an interval.
    const earliest = Math.max(now, this.#grabbedAt + 0.6 * intervalMs);
    const first = this.#sentAt - leadMs;
    const rounds = Math.ceil((earliest - first) / intervalMs);
    return Math.max(0, first + rounds * intervalMs - now);
  }
}
