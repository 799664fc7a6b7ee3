import type { AppError, Outcome } from '../../shared/errors/app-error.ts';
import { Listeners } from '../../shared/listeners.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Frames, PreparedFrame } from '../../shared/ports/pictures.ts';
import type { Metrics } from '../../shared/protocol/server-event.ts';
import {
  documentedMemory,
  type MemoryFacts,
  sharpestBudget,
} from '../../shared/vision/picture-memory.ts';
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
import { FrameBudget } from './frame-budget.ts';
import { areaWithin, planFrame, prepareFrame } from './prepare-frame.ts';

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
  /** Which frames are worth their tokens; whoever holds the talk tells it how the talk goes. */
  readonly budget = new FrameBudget();
  #budgetStep: number = sharpestBudget;
  #memory = documentedMemory;
  readonly #queue = new LatestOnlyQueue((frame: OfferedFrame) => this.#process(frame));
  #options = defaultVisionOptions;
  #permission: CapturePermission = { open: 'nothing' };
  #sink: FrameSink | undefined;
  /** Handed to the talk and not sent yet. */
  #unsent: VisionFrame | undefined;
  /** The one that was handed over last is there because one has to be. */
  #coarse = false;
  #pictureScale: number | undefined;
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

  /** What the newest frame that went took of the model's memory: as the server says, or as is known of it. */
  get frameTokens(): number {
    return this.#sent?.tokens ?? 0;
  }

  /** How much more a picture cost in this talk than is documented, where the server has said it. */
  get pictureScale(): number | undefined {
    return this.#pictureScale;
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
    this.#plan();
  }

  /** From long conversation to sharp eyes. */
  setBudget(step: number): void {
    this.#budgetStep = step;
    this.#plan();
  }

  /** What is known of the memory of the server that the talk is with. */
  setMemory(memory: MemoryFacts): void {
    this.#memory = memory;
    this.#plan();
  }

  /** From now on frames go to this talk, until the returned function is called. */
  attach(sink: FrameSink): () => void {
    this.#switchSink(sink);
    sink.setMaxSlices(this.#options.slices);
    this.#plan();
    this.budget.begin(this.#deps.clock.now(), undefined);
    return () => {
      if (this.#sink === sink) this.#switchSink(undefined);
    };
  }

  /** To be called when the talk has sent a frame: it is the newest that it was handed. */
  frameSent(): void {
    const frame = this.#unsent;
    const at = this.#deps.clock.now();
    if (!this.#coarse) this.budget.spend(at);
    if (frame === undefined) return;
    this.#unsent = undefined;
    this.#sent = { ...frame.facts, at };
    this.#deps.sent({ ...frame, facts: this.#sent });
  }

  /** To be called with what the server tells of its steps: the newest frame is what they are about. */
  stepCounted({ vision_tokens: tokens, vision_slices: told }: Metrics['figures']): void {
    const frame = this.#sent;
    if (frame === undefined || tokens === undefined || tokens <= 0) return;
    const slices = told === undefined || told <= 0 ? frame.slices : told;
    if (frame.counted === true && frame.tokens === tokens && frame.slices === slices) return;
    this.#sent = { ...frame, tokens, slices, counted: true };
    if (!this.#coarse) this.#pictureScale = tokens / pictureTokens(this.#options.slices);
    this.#deps.counted({ at: frame.at, tokens, slices });
  }

  async offer(frame: OfferedFrame): Promise<FrameOutcome> {
    if (this.#permission.open === 'nothing' || this.#sink === undefined)
      return { outcome: 'closed' };
    const interval = frameInterval(this.#options.rate, this.#sink.chunkMs);
    if (!this.#rateLimiter.accepts(this.#deps.clock.now(), interval)) return { outcome: 'early' };
    const taken = await this.#queue.take(frame);
    return taken.done ? taken.result : { outcome: 'replaced' };
  }

  async #process(frame: OfferedFrame): Promise<FrameOutcome> {
    const { clock } = this.#deps;
    const [options, permission, sink] = [this.#options, this.#permission, this.#sink];
    if (permission.open === 'nothing' || sink === undefined) return { outcome: 'closed' };
    const prepared = await this.#prepare(frame, options.slices);
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
    const { signature } = prepared.value;
    const at = clock.now();
    if (options.skipStill && this.#stillness.isStill(signature, at)) return { outcome: 'still' };
    if (this.budget.isWorth(at, this.#stillness.hasChanged(signature))) {
      this.#stillness.recordSent(signature, at);
      this.#hand(sink, prepared.value, options.slices, at);
      return { outcome: 'taken' };
    }
    if (!this.#memory.everyAppend) return { outcome: 'saved' };
    // The newest picture goes along whether it is worth it or not: it goes as small as it can.
    const coarse = await this.#prepare(frame, 1);
    if (this.#sink !== sink || this.#permission !== permission || !coarse.ok)
      return { outcome: 'saved' };
    this.#hand(sink, coarse.value, 1, at);
    return { outcome: 'taken' };
  }

  #prepare(frame: OfferedFrame, slices: number): Promise<Outcome<PreparedFrame>> {
    const area = shownArea(this.#options);
    return prepareFrame(this.#deps.frames, frame, (size) => planFrame(size, area, slices));
  }

  #hand(sink: FrameSink, prepared: PreparedFrame, mostSlices: number, at: number): void {
    const { jpeg, width, height } = prepared;
    const slices = usedSlices({ width, height }, mostSlices);
    const tokens = pictureTokens(slices);
    this.#coarse = mostSlices < this.#options.slices;
    if (this.#memory.everyAppend) sink.setMaxSlices(mostSlices);
    this.#unsent = { jpeg, facts: { at, bytes: jpeg.length, width, height, slices, tokens } };
    sink.pushFrame(jpeg);
  }

  #plan(): void {
    const chunkMs = this.#sink?.chunkMs ?? 1000;
    const { slices, rate } = this.#options;
    this.budget.plan(this.#memory, {
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

/** How long after the last frame the next one is wanted. */
function frameInterval(rate: VisionOptions['rate'], chunkMs: number): number {
  return rate === 'everyChunk' ? chunkMs : Math.max(1000 / rate.framesPerSecond, chunkMs);
}

/**
 * Says which of the frames that are offered are worth working on. An append carries one frame, so a
 * chunk needs no more; within half an interval of the last one a frame comes too early, and what
 * comes after that is let in, since a page's timer is never exact.
 */
class FrameRateLimiter {
  #last: number | undefined;

  accepts(at: number, intervalMs: number): boolean {
    if (this.#last !== undefined && at - this.#last < intervalMs / 2) return false;
    this.#last = at;
    return true;
  }

  /** The next frame is wanted at once. */
  reset(): void {
    this.#last = undefined;
  }
}

/** Grey values of one small picture, compared with those of another. */
export type FrameSignature = Uint8Array;

/** A camera's noise and a compression's wobble stay below both; a moving hand is above one. */
const stillOnAverage = 2;
const stillInOneCell = 14;

/** Even of a still scene the model gets a frame this often. */
const maxStillMs = 5000;

/** Whether anything has moved since the last frame that went, so that slow drift adds up. */
export class StillnessDetector {
  #sent: { readonly signature: FrameSignature; readonly at: number } | undefined;

  isStill(signature: FrameSignature, at: number): boolean {
    if (this.#sent === undefined || at - this.#sent.at >= maxStillMs) return false;
    return !this.hasChanged(signature);
  }

  /** However long ago the last one went. */
  hasChanged(signature: FrameSignature): boolean {
    return this.#sent === undefined || !looksSame(this.#sent.signature, signature);
  }

  recordSent(signature: FrameSignature, at: number): void {
    this.#sent = { signature, at };
  }

  reset(): void {
    this.#sent = undefined;
  }
}

function looksSame(one: FrameSignature, other: FrameSignature): boolean {
  if (one.length !== other.length) return false;
  let sum = 0;
  for (let cell = 0; cell < one.length; cell += 1) {
    const difference = Math.abs((one[cell] ?? 0) - (other[cell] ?? 0));
    if (difference > stillInOneCell) return false;
    sum += difference;
  }
  return sum <= stillOnAverage * one.length;
}

/** What a piece of work came to, or that a newer one took its place before it began. */
export type LatestOnlyResult<Result> =
  | { readonly done: true; readonly result: Result }
  | { readonly done: false };

/** Works on one thing at a time. While it does, only the newest of what comes waits. */
class LatestOnlyQueue<Item, Result> {
  readonly #work: (item: Item) => Promise<Result>;
  #waiting: { readonly item: Item; readonly settle: (begin: boolean) => void } | undefined;
  #busy = false;

  constructor(work: (item: Item) => Promise<Result>) {
    this.#work = work;
  }

  async take(item: Item): Promise<LatestOnlyResult<Result>> {
    if (this.#busy && !(await this.#turnFor(item))) return { done: false };
    this.#busy = true;
    try {
      return { done: true, result: await this.#work(item) };
    } finally {
      // Stays busy where another waits: it begins before anything that comes now.
      this.#busy = this.#waiting !== undefined;
      this.#waiting?.settle(true);
      this.#waiting = undefined;
    }
  }

  #turnFor(item: Item): Promise<boolean> {
    this.#waiting?.settle(false);
    return new Promise((settle) => {
      this.#waiting = { item, settle };
    });
  }
}
