import type { AppError } from '../../shared/errors/app-error.ts';
import type { FrameOutcome, VisionFrame } from '../../shared/vision/vision-frame.ts';
import { pictureTokens } from '../../shared/vision/vision-limits.ts';
import { defaultVisionOptions } from '../../shared/vision/vision-options.ts';
import type {
  FrameArea,
  CapturePermission,
  VisionOptions,
} from '../../shared/vision/vision-options.ts';
import type { Clock } from '../ports/clock.ts';
import type { Frames } from '../ports/pictures.ts';
import { FrameRateLimiter, frameInterval } from './frame-rate-limiter.ts';
import { areaWithin, planFrame, usedSlices } from './frame-size.ts';
import { LatestOnlyQueue } from './latest-only-queue.ts';
import { StillnessDetector } from './stillness-detector.ts';

/** A talk, as far as it takes pictures. */
export interface FrameSink {
  readonly chunkMs: number;
  /** The newest frame, to go with the next chunk; nothing takes back one that has not gone. */
  pushFrame(jpeg: Uint8Array | undefined): void;
  setMaxSlices(slices: number): void;
}

export interface FramePipelineDeps {
  readonly frames: Frames;
  readonly clock: Clock;
  /** The very frame that has gone to the model. */
  readonly sent: (frame: VisionFrame) => void;
  /** Why a frame could not be read; once for all that follow each other. */
  readonly refused: (error: AppError) => void;
}

/** The way of frames from the page to the talk: permission, rate, preparation, stillness. */
export class FramePipeline {
  readonly #deps: FramePipelineDeps;
  readonly #rateLimiter = new FrameRateLimiter();
  readonly #stillness = new StillnessDetector();
  readonly #queue = new LatestOnlyQueue((jpeg: Uint8Array) => this.#process(jpeg));
  #options = defaultVisionOptions;
  #permission: CapturePermission = { open: 'nothing' };
  #sink: FrameSink | undefined;
  /** Handed to the talk and not sent yet. */
  #unsent: VisionFrame | undefined;
  /** Of the last frame. */
  /** Why the last frame was refused: the same is said once. */
  #refusedFor: AppError['code'] | undefined;

  constructor(deps: FramePipelineDeps) {
    this.#deps = deps;
  }

  get options(): VisionOptions {
    return this.#options;
  }

  get permission(): CapturePermission {
    return this.#permission;
  }

  /**
   * Every change of the permission begins anew: neither a frame that is being worked on nor one that
   * waits for its chunk is let through.
   */
  setPermission(permission: CapturePermission): void {
    this.#permission = permission;
    if (this.#unsent !== undefined) this.#sink?.pushFrame(undefined);
    this.#unsent = undefined;
    this.#reset();
  }

  setOptions(options: VisionOptions): void {
    this.#options = options;
    this.#reset();
    this.#sink?.setMaxSlices(options.slices);
  }

  /** From now on frames go to this talk, until the returned function is called. */
  attach(sink: FrameSink): () => void {
    this.#switchSink(sink);
    sink.setMaxSlices(this.#options.slices);
    return () => {
      if (this.#sink === sink) this.#switchSink(undefined);
    };
  }

  /** To be called when the talk has sent a frame: it is the newest that it was handed. */
  frameSent(): void {
    const frame = this.#unsent;
    if (frame === undefined) return;
    this.#unsent = undefined;
    this.#deps.sent({ ...frame, facts: { ...frame.facts, at: this.#deps.clock.now() } });
  }

  async offer(jpeg: Uint8Array): Promise<FrameOutcome> {
    if (this.#permission.open === 'nothing' || this.#sink === undefined)
      return { outcome: 'closed' };
    const interval = frameInterval(this.#options.rate, this.#sink.chunkMs);
    if (!this.#rateLimiter.accepts(this.#deps.clock.now(), interval)) return { outcome: 'early' };
    const taken = await this.#queue.take(jpeg);
    return taken.done ? taken.result : { outcome: 'replaced' };
  }

  async #process(jpeg: Uint8Array): Promise<FrameOutcome> {
    const { frames, clock } = this.#deps;
    const [options, permission, sink] = [this.#options, this.#permission, this.#sink];
    if (permission.open === 'nothing' || sink === undefined) return { outcome: 'closed' };
    const area = shownArea(options);
    const prepared = await frames.prepare(jpeg, (size) => planFrame(size, area, options.slices));
    // It was made for a permission, options and a talk that may be gone by now.
    if (this.#permission !== permission || this.#sink !== sink) return { outcome: 'closed' };
    if (this.#options !== options) return { outcome: 'replaced' };
    if (!prepared.ok) {
      const { error } = prepared;
      if (error.code !== this.#refusedFor) this.#deps.refused(error);
      this.#refusedFor = error.code;
      return { outcome: 'refused' };
    }
    this.#refusedFor = undefined;
    const { jpeg: bytes, width, height, signature } = prepared.value;
    const at = clock.now();
    if (options.skipStill && this.#stillness.isStill(signature, at)) return { outcome: 'still' };
    this.#stillness.recordSent(signature, at);
    const slices = usedSlices({ width, height }, options.slices);
    const tokens = pictureTokens(slices);
    this.#unsent = {
      jpeg: bytes,
      facts: { at, bytes: bytes.length, width, height, slices, tokens },
    };
    sink.pushFrame(bytes);
    return { outcome: 'taken' };
  }

  #switchSink(sink: FrameSink | undefined): void {
    this.#sink = sink;
    this.#unsent = undefined;
    this.#reset();
  }

  #reset(): void {
    this.#rateLimiter.reset();
    this.#stillness.reset();
  }
}

function shownArea({ source, crop }: VisionOptions): FrameArea | undefined {
  return areaWithin(source.kind === 'region' ? source.area : undefined, crop);
}
