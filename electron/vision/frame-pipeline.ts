import type { Metrics } from '../../shared/protocol/server-event.ts';
import { Listeners } from '../../shared/listeners.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import type {
  FrameCount,
  FrameInfo,
  FrameOutcome,
  VisionFrame,
} from '../../shared/vision/vision-frame.ts';
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
  /** What the server says that it took. */
  readonly counted: (count: FrameCount) => void;
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
  /** Of the last frame that went. */
  #sent: FrameInfo | undefined;
  /** Why the last frame was refused: the same is said once. */
  #refusedFor: AppError['code'] | undefined;
  readonly #permissions = new Listeners<CapturePermission>();

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
    this.#sink?.pushFrame(undefined);
    this.#unsent = undefined;
    this.#reset();
    this.#permissions.emit(permission);
  }

  /** Hears what is switched on, for whoever shows it. */
  readonly listen = (hear: (permission: CapturePermission) => void): (() => void) =>
    this.#permissions.add(hear);

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
    this.#sent = { ...frame.facts, at: this.#deps.clock.now() };
    this.#deps.sent({ ...frame, facts: this.#sent });
  }

  /** To be called with what the server tells of its steps: the newest frame is what they are about. */
  stepCounted({ vision_tokens: tokens, vision_slices: told }: Metrics['figures']): void {
    const frame = this.#sent;
    if (frame === undefined || tokens === undefined || tokens <= 0) return;
    const slices = told === undefined || told <= 0 ? frame.slices : told;
    if (frame.counted === true && frame.tokens === tokens && frame.slices === slices) return;
    this.#sent = { ...frame, tokens, slices, counted: true };
    this.#deps.counted({ at: frame.at, tokens, slices });
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
    this.#sent = undefined;
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
