import type { OfferedFrame } from '../../shared/vision/vision-frame.ts';
import type { VisionOptions } from '../../shared/vision/vision-options.ts';
import type { FrameSnapshotter, GrabPurpose } from './frame-snapshotter.ts';

export interface FrameGrabberDeps {
  readonly now: () => number;
  /** Runs once after the delay, unless the returned function is called before. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
  readonly createSnapshotter: (stream: MediaStream) => FrameSnapshotter;
  /** Whether nobody can see the page. */
  readonly hidden: () => boolean;
  /** Resolves when the core has dealt with it. */
  readonly offer: (frame: OfferedFrame) => Promise<void>;
}

/** A stream that has just been opened has no picture for a moment. */
const retryMs = 100;

/** Grabs frames out of an open stream at the wanted rate and offers them to the core. */
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
  /** The picture that is frozen: it goes on being offered, as a picture of something that does not move would. */
  #held: OfferedFrame | undefined;
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

  /** What is to be seen at this moment is what is offered until it ends. */
  setFrozen(frozen: boolean): void {
    this.#frozen = frozen;
    this.#held = undefined;
    if (this.#open !== undefined) this.#grabAfter(0);
  }

  /** What is held belongs to a source that nothing is to be seen of any more. */
  forget(): void {
    this.#held = undefined;
  }

  /** Frames are grabbed only while there is somebody who takes them. */
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
    const holds = this.#frozen && this.#held === undefined;
    // A slow page or core makes frames fewer; they never pile up.
    if (this.#grabbing) {
      if (holds) this.#grabAfter(retryMs);
      return;
    }
    if (this.#paused || (!holds && this.#isIdle(open.settings))) return;
    this.#grabbing = true;
    try {
      const purpose = grabPurpose(open.settings, holds);
      const frame = this.#held ?? (await open.snapshotter.grab(purpose));
      // Meanwhile it may have been closed, or paused, and then nothing may leave the page.
      if (this.#open?.snapshotter !== open.snapshotter || this.#paused) return;
      if (frame === undefined) {
        this.#grabAfter(retryMs);
        return;
      }
      if (this.#frozen) this.#held ??= frame;
      if (this.#active) await this.#deps.offer(frame);
    } finally {
      this.#grabbing = false;
    }
  }

  /** Nobody shows something to a camera behind a hidden page; a screen is shared to look at it, a picture held for it. */
  #isIdle({ source }: VisionOptions): boolean {
    if (!this.#active) return true;
    return source.kind === 'camera' && this.#held === undefined && this.#deps.hidden();
  }

  #interval({ rate }: VisionOptions): number {
    return rate === 'everyChunk'
      ? this.#chunkMs
      : Math.max(this.#chunkMs, 1000 / rate.framesPerSecond);
  }
}

/** A screen has small print, and what is held may be looked at more closely later: such a picture is worked on by those who see it best. */
function grabPurpose({ source, crop, slices }: VisionOptions, holds: boolean): GrabPurpose {
  if (source.kind === 'region' || crop !== undefined) return { kind: 'part' };
  return source.kind === 'camera' && !holds ? { kind: 'ready', slices } : { kind: 'whole' };
}

/** From grabbing to being ready to go with a chunk: encoding, the way to the core, preparation. */
const leadMs = 150;

/**
 * When to grab. By itself one grab an interval; once it is known when frames go to the model, just
 * before the next one goes, so that what it sees is 150 ms old and not up to a whole chunk.
 */
class GrabSchedule {
  #grabbedAt: number | undefined;
  #sentAt: number | undefined;

  grabbed(at: number): void {
    this.#grabbedAt = at;
  }

  sent(at: number): void {
    this.#sentAt = at;
  }

  /** Milliseconds from now until the next grab. */
  wait(now: number, intervalMs: number): number {
    if (this.#grabbedAt === undefined) return 0;
    const due = this.#grabbedAt + intervalMs;
    const known = this.#sentAt !== undefined && now - this.#sentAt < 2 * intervalMs;
    if (!known || this.#sentAt === undefined) return Math.max(0, due - now);
    // The core accepts no second frame within half an interval.
    const soonest = Math.max(now, this.#grabbedAt + 0.6 * intervalMs);
    const first = this.#sentAt - leadMs;
    const rounds = Math.ceil((soonest - first) / intervalMs);
    return Math.max(0, first + rounds * intervalMs - now);
  }
}
