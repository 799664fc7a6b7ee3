import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { failure, type Failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';
import { PictureDecoder } from './picture-decoder.ts';

/** What a thread is asked for, by the names of the decoder. */
type Work = Pick<PictureDecoder, 'version' | 'measure' | 'fit' | 'frame' | 'encode'>;

export interface PictureRequest<Name extends keyof Work = keyof Work> {
  readonly name: Name;
  readonly args: Parameters<Work[Name]>;
}

export type PictureAnswer =
  | { readonly tell: 'ready' }
  | { readonly tell: 'unusable'; readonly reason: string }
  | { readonly tell: 'done'; readonly value: unknown }
  /** The picture cannot be read. */
  | { readonly tell: 'broken' };

type Heard = PictureAnswer | { readonly tell: 'ended' };

/** Throws where the picture cannot be read. */
export function doPictureWork(decoder: PictureDecoder, { name, args }: PictureRequest): unknown {
  // What belongs to which name is said by the type of the request.
  return (decoder[name] as (...args: unknown[]) => unknown).apply(decoder, args);
}

export const pictureThreadLimits = {
  /** For one picture, and for the start. */
  jobMs: 15_000,
  startMs: 20_000,
  /** With nothing to do for so long, it ends: its memory only grows. */
  idleMs: 60_000,
  /** So many that died within that time are enough. */
  mostDeaths: 5,
  deathsWithinMs: 60_000,
};

const builtEntry = fileURLToPath(new URL('picture-worker.js', import.meta.url));

/**
 * Works on pictures in a thread of its own, which is started when the first comes and replaced when it dies. One at a time, so
 * that it is known which picture it died of. Without the entry of a thread, as in sources, it works here.
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

  /** `broken` is said where the picture cannot be read, or the thread dies of it. */
  run<Name extends keyof Work>(
    broken: Failure,
    name: Name,
    ...args: Parameters<Work[Name]>
  ): Promise<Outcome<ReturnType<Work[Name]>>> {
    return this.#queue.run(async () => {
      clearTimeout(this.#idle);
      const answer = this.#ended ? broken : await this.#work({ name, args }, broken);
      if (!this.#ended) this.#idle = setTimeout(() => this.#stop(), this.#limits.idleMs).unref();
      // What belongs to which name is said by the types of both ends.
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

/** One thread from its start to its end: its answers are waited for one after the other. */
class RunningThread {
  readonly #worker: Worker;
  #hear: (heard: Heard) => void = () => undefined;
  #ended = false;

  constructor(entry: string) {
    // Tokens stand in the environment.
    this.#worker = new Worker(entry, { env: {}, execArgv: [] });
    this.#worker.on('message', (answer: PictureAnswer) => this.#hear(answer));
    // Its end follows.
    this.#worker.on('error', () => undefined);
    this.#worker.once('exit', () => {
      this.#ended = true;
      this.#hear({ tell: 'ended' });
    });
    // Behind the listeners, since one for messages keeps the process alive again.
    this.#worker.unref();
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  post(request: PictureRequest): void {
    this.#worker.postMessage(request, []);
  }

  /** The next thing it says, or that it has ended, or that the time is over. */
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
