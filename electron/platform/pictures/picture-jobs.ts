import { z } from 'zod';
import {
  type ErrorCode,
  failure,
  type Failure,
  isAppError,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import type { ChildProcess, StartChildProcess } from '../../../shared/ports/child-process.ts';
import type { PictureAnswer, PictureRequest, PlanFrame } from '../../../shared/ports/pictures.ts';
import { maxFrameBytes, maxFramePixels } from '../../../shared/vision/vision-frame.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';

export interface PictureJob<Value> {
  readonly request: PictureRequest;
  readonly value: z.ZodType<Value>;
  /** For a frame: asked once its size is known. */
  readonly plan?: PlanFrame;
  /** What is said where the decoder dies of it. */
  readonly broken: Failure;
}

export interface PictureJobLimits {
  /** For one picture, and for the start of the process. */
  readonly jobMs: number;
  readonly startMs: number;
  /** With nothing to do for so long, it ends. */
  readonly idleMs: number;
  /** So many that died within that time are enough. */
  readonly mostDeaths: number;
  readonly deathsWithinMs: number;
}

export const pictureJobLimits: PictureJobLimits = {
  jobMs: 15_000,
  startMs: 20_000,
  idleMs: 60_000,
  mostDeaths: 5,
  deathsWithinMs: 60_000,
};

/**
 * Works on pictures in a process of its own, which is started when the first comes and replaced when it
 * dies. One at a time, so that it is known which picture it died of.
 */
export class PictureJobs {
  readonly #start: StartChildProcess<PictureRequest>;
  readonly #limits: PictureJobLimits;
  readonly #queue = new SerialQueue();
  #running: RunningPictureProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #deaths: readonly number[] = [];
  #ended = false;

  constructor(
    start: StartChildProcess<PictureRequest>,
    limits: PictureJobLimits = pictureJobLimits,
  ) {
    this.#start = start;
    this.#limits = limits;
  }

  run<Value>(job: PictureJob<Value>): Promise<Outcome<Value>> {
    return this.#queue.run(async () => {
      clearTimeout(this.#idle);
      const outcome = await this.#work(job);
      if (!this.#ended) this.#idle = setTimeout(() => this.#stop(), this.#limits.idleMs).unref();
      return outcome;
    });
  }

  end(): void {
    this.#ended = true;
    this.#stop();
  }

  async #work<Value>(job: PictureJob<Value>): Promise<Outcome<Value>> {
    if (this.#ended) return job.broken;
    if (this.#tooManyDeaths()) return failure('picturesStopped');
    const running = await this.#ready();
    if (!(running instanceof RunningPictureProcess)) return running;
    running.post(job.request);
    const until = performance.now() + this.#limits.jobMs;
    for (;;) {
      const heard = await running.next(until - performance.now());
      if (heard === timedOut) return this.#died(running, failure('pictureSlow'));
      if (heard.tell === 'ended') return this.#died(running, job.broken);
      if (heard.tell === 'upright' && job.plan !== undefined) {
        running.post({ ask: 'plan', plan: await job.plan(heard) });
        continue;
      }
      const outcome =
        heard.tell === 'outcome' ? readPictureOutcome(heard.outcome, job.value) : undefined;
      return outcome ?? this.#died(running, job.broken);
    }
  }

  /** The process that there is, or a new one once it has said that it can decode. */
  async #ready(): Promise<RunningPictureProcess | Failure> {
    if (this.#running?.hasEnded === false) return this.#running;
    const running = new RunningPictureProcess(this.#start);
    this.#running = running;
    const heard = await running.next(this.#limits.startMs);
    if (heard !== timedOut && heard.tell === 'ready') return running;
    return this.#died(running, failure('picturesStopped'));
  }

  #died(running: RunningPictureProcess, said: Failure): Failure {
    running.kill();
    if (!this.#ended) this.#deaths = [...this.#deaths, performance.now()];
    return said;
  }

  #tooManyDeaths(): boolean {
    const since = performance.now() - this.#limits.deathsWithinMs;
    this.#deaths = this.#deaths.filter((at) => at > since);
    return this.#deaths.length >= this.#limits.mostDeaths;
  }

  #stop(): void {
    clearTimeout(this.#idle);
    this.#running?.kill();
    this.#running = undefined;
  }
}

type Heard = PictureAnswer | { readonly tell: 'ended' };

/** One picture process from its start to its end: its answers are waited for one after the other. */
class RunningPictureProcess {
  readonly #process: ChildProcess<PictureRequest>;
  readonly #heard: Heard[] = [];
  #wake: ((heard: Heard) => void) | undefined;
  #ended = false;

  constructor(start: StartChildProcess<PictureRequest>) {
    this.#process = start({
      message: (message) => {
        const answer = readPictureAnswer(message);
        // What speaks nonsense is not asked again.
        if (answer === undefined) this.kill();
        else this.#hear(answer);
      },
      ended: () => {
        this.#end();
      },
    });
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  post(request: PictureRequest): void {
    if (!this.#ended) this.#process.post(request);
  }

  /** The next thing it says, or that it has ended, or that the time is over. */
  next(milliseconds: number): Promise<Heard | typeof timedOut> {
    const heard = this.#heard.shift();
    if (heard !== undefined) return Promise.resolve(heard);
    if (this.#ended) return Promise.resolve({ tell: 'ended' });
    return withTimeout(
      milliseconds,
      new Promise((resolve) => {
        this.#wake = resolve;
      }),
    );
  }

  kill(): void {
    this.#process.kill();
    this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#hear({ tell: 'ended' });
  }

  #hear(heard: Heard): void {
    const wake = this.#wake;
    this.#wake = undefined;
    if (wake === undefined) this.#heard.push(heard);
    else wake(heard);
  }
}

// A decoder that a hostile picture has taken over says what it likes: nothing of it is believed.

const size = z.int().min(1).max(maxFramePixels);

const answer: z.ZodType<PictureAnswer> = z.discriminatedUnion('tell', [
  z.object({ tell: z.literal('ready') }),
  z.object({ tell: z.literal('upright'), width: size, height: size }),
  z.object({ tell: z.literal('outcome'), outcome: z.unknown() }),
]);

/** Undefined for what is no answer. */
function readPictureAnswer(message: unknown): PictureAnswer | undefined {
  return answer.safeParse(message).data;
}

const jpeg = z
  .instanceof(Uint8Array)
  .refine(({ length }) => length <= maxFrameBytes)
  .refine(([first, second, third]) => first === 0xff && second === 0xd8 && third === 0xff);

/** What each kind of work has to come to. */
export const pictureValues = {
  part: z.discriminatedUnion('state', [
    z.object({ state: z.literal('loads'), detail: z.string().max(200) }),
    z.object({ state: z.literal('fails'), reason: z.string().max(2000) }),
  ]),
  probe: z.object({
    width: size,
    height: size,
    colours: z.array(z.string().regex(/^[a-z]{1,12}$/)).max(3),
  }),
  prepare: jpeg,
  frame: z.object({
    jpeg,
    width: size,
    height: size,
    signature: z.instanceof(Uint8Array).refine(({ length }) => length === 256),
  }),
} as const;

/** Why a picture cannot be read; of other errors it has nothing to tell. */
const toldErrors: ReadonlySet<ErrorCode> = new Set([
  'pictureBroken',
  'pictureLarge',
  'noPictures',
  'frameBroken',
  'frameLarge',
]);

/** The outcome, or nothing where it is none. */
function readPictureOutcome<Value>(
  outcome: unknown,
  value: z.ZodType<Value>,
): Outcome<Value> | undefined {
  if (typeof outcome !== 'object' || outcome === null) return undefined;
  const error: unknown = Reflect.get(outcome, 'error');
  if (isAppError(error)) {
    return toldErrors.has(error.code) ? { ok: false, error } : failure('pictureBroken');
  }
  const read = value.safeParse(Reflect.get(outcome, 'value'));
  return read.success ? { ok: true, value: read.data } : undefined;
}
