import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { failure, type Failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';
import { PictureDecoder } from './picture-decoder.ts';

/** The requests to the thread, by decoder method. */
type Work = Pick<PictureDecoder, 'version' | 'measure' | 'fit' | 'frame' | 'encode'>;

export interface PictureRequest<Name extends keyof Work = keyof Work> {
  readonly name: Name;
  readonly args: Parameters<Work[Name]>;
}

export type PictureAnswer =
  | { readonly tell: 'ready' }
  | { readonly tell: 'unusable'; readonly reason: string }
  | { readonly tell: 'done'; readonly value: unknown }
  /** The picture is unreadable. */
  | { readonly tell: 'broken' };

type Heard = PictureAnswer | { readonly tell: 'ended' };

/** Throws if the picture is unreadable. */
export function doPictureWork(decoder: PictureDecoder, { name, args }: PictureRequest): unknown {
  // The request's type pairs the name with its arguments.
  return (decoder[name] as (...args: unknown[]) => unknown).apply(decoder, args);
}

export const pictureThreadLimits = {
  /** Time limits of a job and of the start. */
  jobMs: 15_000,
  startMs: 20_000,
  /** Idle time after which the thread ends, because its memory only grows. */
  idleMs: 60_000,
  /** This many crashes within this time disable pictures. */
  mostDeaths: 5,
  deathsWithinMs: 60_000,
};

const builtEntry = fileURLToPath(new URL('picture-worker.js', import.meta.url));

/**
 * Decodes pictures in a thread, started on demand and replaced when it dies. It does one job at a time, so a
 * crash is attributed to its picture. When run from sources, without a built entry, it decodes in this thread.
 */
export class PictureThread {
  readonly #entry: string;
  readonly #limits: typeof pictureThreadLimits;
  readonly #queue = new SerialQueue();
  #running: RunningThread | undefined;
  #here: Promise<PictureDecoder> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #deaths: readonly number[] = [];
  #ended = false;

  constructor(entry = builtEntry, limits = pictureThreadLimits) {
    this.#entry = entry;
    this.#limits = limits;
  }

  /** `broken` is the failure for an unreadable picture or one that crashes the thread. */
  run<Name extends keyof Work>(
    broken: Failure,
    name: Name,
    ...args: Parameters<Work[Name]>
  ): Promise<Outcome<ReturnType<Work[Name]>>> {
    return this.#queue.run(async () => {
      clearTimeout(this.#idle);
      const answer = this.#ended ? broken : await this.#work({ name, args }, broken);
      if (!this.#ended) this.#idle = setTimeout(() => this.#stop(), this.#limits.idleMs).unref();
      // The request's type pairs the name with its result.
      return answer as Outcome<ReturnType<Work[Name]>>;
    });
  }

  end(): void {
    this.#ended = true;
    this.#stop();
  }

  async #work(request: PictureRequest, broken: Failure): Promise<Outcome<unknown>> {
    if (this.#tooManyDeaths()) return failure('picturesStopped');
    if (!existsSync(this.#entry)) return this.#workHere(request, broken);
    const { startMs, jobMs } = this.#limits;
    if (this.#running?.hasEnded !== false) {
      this.#running = new RunningThread(this.#entry);
      const begun = await this.#running.next(startMs);
      if (begun.tell === 'unusable') return failure('noPictures', { error: begun.reason });
      if (begun.tell !== 'ready') return this.#died(failure('picturesStopped'));
    }
    this.#running.post(request);
    const heard = await this.#running.next(jobMs);
    if (heard.tell === 'done') return { ok: true, value: heard.value };
    if (heard.tell === 'broken') return broken;
    return this.#died(heard.tell === 'late' ? failure('pictureSlow') : broken);
  }

  async #workHere(request: PictureRequest, broken: Failure): Promise<Outcome<unknown>> {
    this.#here ??= PictureDecoder.load();
    const decoder = await this.#here;
    try {
      return { ok: true, value: doPictureWork(decoder, request) };
    } catch {
      return broken;
    }
  }

  #died(said: Failure): Failure {
    this.#running?.kill();
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

/** One thread from start to end; it answers one request at a time. */
class RunningThread {
  readonly #worker: Worker;
  #hear: (heard: Heard) => void = () => undefined;
  #ended = false;

  constructor(entry: string) {
    // The environment has tokens in it.
    this.#worker = new Worker(entry, { env: {}, execArgv: [] });
    this.#worker.on('message', (answer: PictureAnswer) => this.#hear(answer));
    // `exit` follows.
    this.#worker.on('error', () => undefined);
    this.#worker.once('exit', () => {
      this.#ended = true;
      this.#hear({ tell: 'ended' });
    });
    // After the listeners, because adding one for messages refs the worker again.
    this.#worker.unref();
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  post(request: PictureRequest): void {
    this.#worker.postMessage(request, []);
  }

  /** Resolves to the next message, the end, or a timeout. */
  async next(milliseconds: number): Promise<Heard | { readonly tell: 'late' }> {
    const heard = await withTimeout<Heard>(
      milliseconds,
      new Promise((resolve) => {
        this.#hear = resolve;
      }),
    );
    return heard === timedOut ? { tell: 'late' } : heard;
  }

  kill(): void {
    this.#ended = true;
    void this.#worker.terminate();
  }
}
