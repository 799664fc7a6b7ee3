import { type AppError, done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { Page } from '../../shared/ipc/page.ts';
import type { VisionHandlers } from '../../shared/ipc/vision-ipc.ts';
import { Listeners } from '../../shared/listeners.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Frames, PreparedFrame, Shareables } from '../../shared/ports/pictures.ts';
import type { Metrics } from '../../shared/protocol/realtime-api.ts';
import {
  documentedContext,
  type ContextFacts,
  sharpestBudget,
} from '../../shared/vision/context-facts.ts';
import {
  type FrameCount,
  type FrameInfo,
  type FrameOutcome,
  type OfferedFrame,
  pictureTokens,
  usedSlices,
  type VisionFrame,
} from '../../shared/vision/vision-frame.ts';
import {
  type CapturePermission,
  defaultVisionOptions,
  type FrameArea,
  type VisionOptions,
} from '../../shared/vision/vision-options.ts';
import { FrameBudget, FrameRateLimiter } from './frame-budget.ts';
import { areaWithin, planFrame, prepareFrame } from './prepare-frame.ts';
import { StillnessDetector } from './stillness-detector.ts';

export interface FrameSink {
  readonly chunkMs: number;
  /** Queues the newest frame for the next chunk; `undefined` withdraws a waiting one. */
  pushFrame(jpeg: Uint8Array | undefined): void;
  setMaxSlices(slices: number): void;
}

export interface FramePipelineDeps {
  readonly frames: Frames;
  readonly clock: Clock;
  readonly onSent: (frame: VisionFrame) => void;
  /** Called with the server's count for a frame. */
  readonly onCounted: (count: FrameCount) => void;
  /** Called if a frame cannot be read. Frames that follow with the same error are not reported. */
  readonly onRefused: (error: AppError) => void;
}

/** Takes frames from the page to the talk: permission, rate, preparation, stillness, budget. */
export class FramePipeline {
  readonly #deps: FramePipelineDeps;
  readonly #rateLimiter = new FrameRateLimiter();
  readonly #stillness = new StillnessDetector();
  /** Decides which frames are worth their tokens. `TalkVision` tells it who speaks and how much context is left. */
  readonly budget = new FrameBudget();
  #budgetStep: number = sharpestBudget;
  #context = documentedContext;
  readonly #queue = new LatestOnlyQueue((frame: OfferedFrame) => this.#process(frame));
  #options = defaultVisionOptions;
  #permission: CapturePermission = { open: 'nothing' };
  #sink: FrameSink | undefined;
  /** Given to the talk but not sent yet. */
  #unsent: VisionFrame | undefined;
  /** The last picture that the user showed once. While it is unsent, no other frame may replace it. */
  #shownOnce: VisionFrame | undefined;
  /** The frame last given to the talk is coarse, sent only because the server needs one. */
  #isCoarse = false;
  #pictureScale: number | undefined;
  #sent: FrameInfo | undefined;
  /** `#sent` is coarse. The next frame may be given to the talk before the server has counted this one. */
  #isSentCoarse = false;
  /** Error of the previous frame, undefined if that could be read. */
  #lastRefusal: AppError['code'] | undefined;
  /** The shortest pause between pictures that the talk's server can take now. */
  #minPauseMs: () => number = noPause;
  readonly #permissions = new Listeners<CapturePermission>();

  constructor(deps: FramePipelineDeps) {
    this.#deps = deps;
  }

  get options(): VisionOptions {
    return this.#options;
  }

  /** Context tokens of the last frame sent: the server's count, or an estimate. 0 before the first. */
  get frameTokens(): number {
    return this.#sent?.tokens ?? 0;
  }

  /** Ratio of a picture's cost in this talk to the documented cost, if the server reported it. */
  get pictureScale(): number | undefined {
    return this.#pictureScale;
  }

  get permission(): CapturePermission {
    return this.#permission;
  }

  /** Changes the permission. Frames in preparation or waiting for a chunk are dropped. */
  setPermission(permission: CapturePermission): void {
    this.#permission = permission;
    this.#sink?.pushFrame(undefined);
    this.#unsent = undefined;
    this.#reset();
    this.#permissions.emit(permission);
  }

  readonly listen = (listener: (permission: CapturePermission) => void): (() => void) =>
    this.#permissions.add(listener);

  setOptions(options: VisionOptions): void {
    this.#options = options;
    this.#reset();
    this.#sink?.setMaxSlices(options.slices);
    this.#plan();
  }

  /** @param step from 1, long conversations, to 5, sharp pictures */
  setBudget(step: number): void {
    this.#budgetStep = step;
    this.#plan();
  }

  /** Call when a session of the talk begins. Its model has seen no picture, so also a still one is sent. */
  setContext(context: ContextFacts): void {
    this.#stillness.reset();
    // The session before may have ended with the picture.
    if (this.#isShowing) this.#sink?.pushFrame(this.#shownOnce?.jpeg);
    // Until its first session begins, a talk may get coarse pictures, because the server of the previous talk needed them.
    if (this.#context.everyAppend && !context.everyAppend)
      this.#sink?.setMaxSlices(this.#options.slices);
    this.#context = context;
    this.#plan();
  }

  /**
   * Sends frames to this talk until the returned function is called.
   *
   * @param minPauseMs The shortest pause between pictures that its server can take now.
   */
  attach(sink: FrameSink, minPauseMs = noPause): () => void {
    this.#switchSink(sink);
    this.#minPauseMs = minPauseMs;
    sink.setMaxSlices(this.#options.slices);
    this.#plan();
    this.budget.begin(this.#deps.clock.now(), undefined);
    return () => {
      if (this.#sink === sink) this.#switchSink(undefined);
    };
  }

  /** Call when the talk has sent the newest frame that it was given. */
  frameSent(): void {
    const frame = this.#unsent;
    const at = this.#deps.clock.now();
    if (!this.#isCoarse) this.budget.spend(at);
    if (frame === undefined) return;
    this.#unsent = undefined;
    this.#sent = { ...frame.facts, at };
    this.#isSentCoarse = this.#isCoarse;
    // In the legacy dialect each append carries the newest picture, so one that is shown once must be withdrawn.
    if (this.#permission.open === 'nothing') this.#sink?.pushFrame(undefined);
    this.#deps.onSent({ ...frame, facts: this.#sent });
  }

  /** Call with the metrics of each step; they concern the newest frame. */
  stepCounted({ vision_tokens: tokens, vision_slices: reported }: Metrics['values']): void {
    const frame = this.#sent;
    if (frame === undefined || tokens === undefined || tokens <= 0) return;
    const slices = reported === undefined || reported <= 0 ? frame.slices : reported;
    if (frame.counted === true && frame.tokens === tokens && frame.slices === slices) return;
    this.#sent = { ...frame, tokens, slices, counted: true };
    if (!this.#isSentCoarse) this.#pictureScale = tokens / pictureTokens(this.#options.slices);
    this.#deps.onCounted({ at: frame.at, tokens, slices });
  }

  async offer(frame: OfferedFrame): Promise<FrameOutcome> {
    if (this.#permission.open === 'nothing' || this.#sink === undefined)
      return { outcome: 'notWanted' };
    const interval = frameInterval(this.#options.rate, this.#sink.chunkMs);
    const pause = this.#minPauseMs();
    if (!this.#rateLimiter.accepts(this.#deps.clock.now(), interval, pause))
      return { outcome: 'early' };
    const taken = await this.#queue.take(frame);
    return taken.done ? taken.result : { outcome: 'replaced' };
  }

  /** Shows one picture to the talk because the user asked for it, without a camera or a shared screen. */
  async showOnce(jpeg: Uint8Array): Promise<Outcome<undefined>> {
    const sink = this.#sink;
    if (sink === undefined) return failure('cursorNoTalk');
    const { slices } = this.#options;
    const prepared = await prepareFrame(this.#deps.frames, { jpeg }, (size) =>
      planFrame(size, undefined, slices),
    );
    if (!prepared.ok) return prepared;
    if (this.#sink !== sink) return failure('cursorNoTalk');
    this.#pushToSink(sink, prepared.value, slices, this.#deps.clock.now());
    this.#shownOnce = this.#unsent;
    return done;
  }

  async #process(frame: OfferedFrame): Promise<FrameOutcome> {
    const { clock } = this.#deps;
    const [options, permission, sink] = [this.#options, this.#permission, this.#sink];
    if (permission.open === 'nothing' || sink === undefined) return { outcome: 'notWanted' };
    const prepared = await this.#prepare(frame, options.slices);
    // Permission, options or talk may have changed during the preparation.
    if (this.#permission !== permission || this.#sink !== sink) return { outcome: 'notWanted' };
    if (this.#options !== options) return { outcome: 'replaced' };
    if (!prepared.ok) {
      const { error } = prepared;
      if (error.code !== this.#lastRefusal) this.#deps.onRefused(error);
      this.#lastRefusal = error.code;
      return { outcome: 'refused' };
    }
    this.#lastRefusal = undefined;
    if (this.#isShowing) return { outcome: 'replaced' };
    const { signature } = prepared.value;
    const at = clock.now();
    if (options.skipStill && this.#stillness.isStill(signature, at))
      return { outcome: 'unchanged' };
    if (this.budget.admit(at, this.#stillness.hasChanged(signature))) {
      this.#stillness.recordSent(signature, at);
      this.#pushToSink(sink, prepared.value, options.slices, at);
      return { outcome: 'taken' };
    }
    if (!this.#context.everyAppend) return { outcome: 'overBudget' };
    // Every append carries the newest picture, so one that the budget refuses is sent as small as possible.
    const coarse = await this.#prepare(frame, 1);
    if (this.#sink !== sink || this.#permission !== permission || this.#isShowing || !coarse.ok)
      return { outcome: 'overBudget' };
    this.#pushToSink(sink, coarse.value, 1, at);
    return { outcome: 'taken' };
  }

  get #isShowing(): boolean {
    return this.#unsent !== undefined && this.#unsent === this.#shownOnce;
  }

  #prepare(frame: OfferedFrame, slices: number): Promise<Outcome<PreparedFrame>> {
    const area = shownArea(this.#options);
    return prepareFrame(this.#deps.frames, frame, (size) => planFrame(size, area, slices));
  }

  #pushToSink(sink: FrameSink, prepared: PreparedFrame, maxSlices: number, at: number): void {
    const { jpeg, width, height } = prepared;
    const slices = usedSlices({ width, height }, maxSlices);
    const tokens = pictureTokens(slices);
    this.#isCoarse = maxSlices < this.#options.slices;
    if (this.#context.everyAppend) sink.setMaxSlices(maxSlices);
    this.#unsent = { jpeg, facts: { at, bytes: jpeg.length, width, height, slices, tokens } };
    sink.pushFrame(jpeg);
  }

  #plan(): void {
    const chunkMs = this.#sink?.chunkMs ?? 1000;
    const { slices, rate } = this.#options;
    this.budget.plan(this.#context, {
      budget: this.#budgetStep,
      slices,
      rate: 1000 / frameInterval(rate, chunkMs),
      chunkMs,
    });
  }

  #switchSink(sink: FrameSink | undefined): void {
    this.#sink = sink;
    this.#pictureScale = undefined;
    this.#unsent = undefined;
    this.#sent = undefined;
    this.#reset();
  }

  #reset(): void {
    this.#rateLimiter.reset();
    this.#stillness.reset();
    this.budget.renew();
  }
}

function shownArea({ source, crop }: VisionOptions): FrameArea | undefined {
  return areaWithin(source.kind === 'region' ? source.area : undefined, crop);
}

/** Wanted milliseconds between frames. */
function frameInterval(rate: VisionOptions['rate'], chunkMs: number): number {
  return rate === 'everyChunk' ? chunkMs : Math.max(1000 / rate.framesPerSecond, chunkMs);
}

const noPause = (): number => 0;

/** Result of a work item, unless a newer one replaced it before it began. */
export type LatestOnlyResult<Result> =
  | { readonly done: true; readonly result: Result }
  | { readonly done: false };

/** Works on one item at a time; only the newest of the others waits. */
class LatestOnlyQueue<Item, Result> {
  readonly #work: (item: Item) => Promise<Result>;
  #waiting: { readonly item: Item; readonly settle: (begin: boolean) => void } | undefined;
  #busy = false;

  constructor(work: (item: Item) => Promise<Result>) {
    this.#work = work;
  }

  async take(item: Item): Promise<LatestOnlyResult<Result>> {
    if (this.#busy && !(await this.#waitForTurn(item))) return { done: false };
    this.#busy = true;
    try {
      return { done: true, result: await this.#work(item) };
    } finally {
      // Stays busy if an item waits, which begins before any new one.
      this.#busy = this.#waiting !== undefined;
      this.#waiting?.settle(true);
      this.#waiting = undefined;
    }
  }

  #waitForTurn(item: Item): Promise<boolean> {
    this.#waiting?.settle(false);
    return new Promise((settle) => {
      this.#waiting = { item, settle };
    });
  }
}

interface Deps {
  readonly framePipeline: FramePipeline;
  /** Undefined if the browser asks the user what to share. */
  readonly shareables: Shareables | undefined;
  /** Saves slices, rate and stillness as settings. */
  readonly persist?: ((options: VisionOptions) => void) | undefined;
}

export function createVisionHandlers({ framePipeline, shareables, persist }: Deps): VisionHandlers {
  const listed = new WeakMap<Page, ReadonlySet<string>>();
  let forget: (() => void) | undefined;
  return {
    setCapturePermission: (permission, page) => {
      // If Parley lists the screens itself, only a listed one can be shared.
      const isPermitted =
        permission.open !== 'screen' || listed.get(page)?.has(permission.id ?? '');
      if (shareables !== undefined && isPermitted !== true) return failure('screenUnasked');
      framePipeline.setPermission(permission);
      forget?.();
      // A page opened later shows vision as off, so no capture may continue.
      forget = page.whenGone(() => {
        framePipeline.setPermission({ open: 'nothing' });
      });
      return framePipeline.permission;
    },
    setVisionOptions: (options) => {
      framePipeline.setOptions(options);
      persist?.(options);
      return framePipeline.options;
    },
    pushFrame: (frame) => framePipeline.offer(frame),
    shareables: async ({ thumbnails }, page) => {
      if (shareables === undefined) return { offered: false, list: [] };
      // Window titles and thumbnails are private until the user asks for the list.
      if (!page.hasRecentInput()) return failure('screenUnasked');
      const list = await shareables.list(thumbnails);
      if (!list.ok) return list;
      listed.set(page, new Set([...(listed.get(page) ?? []), ...list.value.map(({ id }) => id)]));
      return { offered: true, list: list.value };
    },
  };
}
