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
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly reason: string }
  /** `isLast`: the next picture needs a new thread. */
  | { readonly kind: 'done'; readonly value: unknown; readonly isLast?: boolean }
  | { readonly kind: 'broken'; readonly isLast?: boolean };

type ThreadMessage = PictureAnswer | { readonly kind: 'ended' };

/** Throws if the picture is unreadable. */
export function runPictureRequest(
  decoder: PictureDecoder,
  { name, args }: PictureRequest,
): unknown {
  // The request's type pairs the name with its arguments.
  return (decoder[name] as (...args: unknown[]) => unknown).apply(decoder, args);
}

export const pictureThreadLimits = {
  jobMs: 15_000,
  startMs: 20_000,
  /** Idle time after which the thread ends, because its memory only grows. */
  idleMs: 60_000,
  /** This many crashes within this time disable pictures. */
  maxCrashes: 5,
  crashWindowMs: 60_000,
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
  #localDecoder: Promise<PictureDecoder> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #crashes: readonly number[] = [];
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
    if (this.#hasTooManyCrashes()) return failure('picturesStopped');
    if (!existsSync(this.#entry)) return this.#workLocally(request, broken);
    const { startMs, jobMs } = this.#limits;
    if (this.#running?.hasEnded !== false) {
      this.#running = new RunningThread(this.#entry);
      const begun = await this.#running.next(startMs);
      if (begun.kind === 'unusable') return failure('noPictures', { error: begun.reason });
      if (begun.kind !== 'ready') return this.#recordCrash(failure('picturesStopped'));
    }
    this.#running.post(request);
    const answer = await this.#running.next(jobMs);
    if ('isLast' in answer && answer.isLast) this.#stop();
    if (answer.kind === 'done') return { ok: true, value: answer.value };
    if (answer.kind === 'broken') return broken;
    return this.#recordCrash(answer.kind === 'late' ? failure('pictureSlow') : broken);
  }

  async #workLocally(request: PictureRequest, broken: Failure): Promise<Outcome<unknown>> {
    this.#localDecoder ??= PictureDecoder.load();
    const decoder = await this.#localDecoder;
    try {
      return { ok: true, value: runPictureRequest(decoder, request) };
    } catch {
      return broken;
    }
  }

  #recordCrash(result: Failure): Failure {
    this.#running?.kill();
    if (!this.#ended) this.#crashes = [...this.#crashes, performance.now()];
    return result;
  }

  #hasTooManyCrashes(): boolean {
    const since = performance.now() - this.#limits.crashWindowMs;
    this.#crashes = this.#crashes.filter((at) => at > since);
    return this.#crashes.length >= this.#limits.maxCrashes;
  }

  #stop(): void {
    clearTimeout(this.#idle);
    this.#running?.kill();
    this.#running = undefined;
  }
}

class RunningThread {
  readonly #worker: Worker;
  #onAnswer: (answer: ThreadMessage) => void = () => undefined;
  #ended = false;

  constructor(entry: string) {
    // The environment has tokens in it.
    this.#worker = new Worker(entry, { env: {}, execArgv: [] });
    this.#worker.on('message', (answer: PictureAnswer) => this.#onAnswer(answer));
    // `exit` follows.
    this.#worker.on('error', () => undefined);
    this.#worker.once('exit', () => {
      this.#ended = true;
      this.#onAnswer({ kind: 'ended' });
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
  async next(milliseconds: number): Promise<ThreadMessage | { readonly kind: 'late' }> {
    const answer = await withTimeout<ThreadMessage>(
      milliseconds,
      new Promise((resolve) => {
        this.#onAnswer = resolve;
      }),
    );
    return answer === timedOut ? { kind: 'late' } : answer;
  }

  kill(): void {
    this.#ended = true;
    void this.#worker.terminate();
  }
}
