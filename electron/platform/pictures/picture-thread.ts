import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { failure, type Failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';
import { PictureDecoder } from './picture-decoder.ts';

/** The methods of the decoder that other threads call. */
type DecoderMethods = Pick<PictureDecoder, 'version' | 'measure' | 'fit' | 'frame' | 'encode'>;

export interface PictureRequest<Name extends keyof DecoderMethods = keyof DecoderMethods> {
  readonly name: Name;
  readonly args: Parameters<DecoderMethods[Name]>;
}

export type PictureAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly reason: string }
  /** `isLast`: the decoder used too much memory, and the next picture needs a new thread. */
  | { readonly kind: 'done'; readonly value: unknown; readonly isLast?: boolean }
  | { readonly kind: 'broken'; readonly isLast?: boolean };

type ThreadMessage = PictureAnswer | { readonly kind: 'ended' };

/** Runs a request. Throws if the picture cannot be read. */
export function runPictureRequest(
  decoder: PictureDecoder,
  { name, args }: PictureRequest,
): unknown {
  // The request's type matches the name with its arguments.
  return (decoder[name] as (...args: unknown[]) => unknown).apply(decoder, args);
}

export const pictureThreadLimits = {
  jobMs: 15_000,
  startMs: 20_000,
  /** Idle time after which the thread ends, because its memory only grows. */
  idleMs: 60_000,
  /** After `maxCrashes` crashes within `crashWindowMs`, no picture is decoded until some of them are older. */
  maxCrashes: 5,
  crashWindowMs: 60_000,
};

const builtEntry = fileURLToPath(new URL('picture-worker.js', import.meta.url));

/**
 * Decodes pictures in a thread, which is started on demand and replaced when it dies. The thread does one job at a time, so
 * that a crash can be blamed on one picture. Without a build there is no entry, and this thread decodes.
 */
export class PictureThread {
  readonly #entry: string;
  readonly #limits: typeof pictureThreadLimits;
  readonly #queue = new SerialQueue();
  #thread: RunningThread | undefined;
  #localDecoder: Promise<PictureDecoder> | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #crashes: readonly number[] = [];
  #hasEnded = false;

  constructor(entry = builtEntry, limits = pictureThreadLimits) {
    this.#entry = entry;
    this.#limits = limits;
  }

  /** `broken` is the failure for a picture that cannot be read, or that crashes the thread. */
  run<Name extends keyof DecoderMethods>(
    broken: Failure,
    name: Name,
    ...args: Parameters<DecoderMethods[Name]>
  ): Promise<Outcome<ReturnType<DecoderMethods[Name]>>> {
    return this.#queue.run(async () => {
      clearTimeout(this.#idleTimer);
      const answer = this.#hasEnded ? broken : await this.#work({ name, args }, broken);
      if (!this.#hasEnded)
        this.#idleTimer = setTimeout(() => this.#stop(), this.#limits.idleMs).unref();
      // The request's type matches the name with its result.
      return answer as Outcome<ReturnType<DecoderMethods[Name]>>;
    });
  }

  end(): void {
    this.#hasEnded = true;
    this.#stop();
  }

  async #work(request: PictureRequest, broken: Failure): Promise<Outcome<unknown>> {
    if (this.#hasTooManyCrashes()) return failure('picturesStopped');
    if (!existsSync(this.#entry)) return this.#workLocally(request, broken);
    const { startMs, jobMs } = this.#limits;
    if (this.#thread?.hasEnded !== false) {
      this.#thread = new RunningThread(this.#entry);
      const firstMessage = await this.#thread.next(startMs);
      if (firstMessage.kind === 'unusable')
        return failure('noPictures', { error: firstMessage.reason });
      if (firstMessage.kind !== 'ready') return this.#recordCrash(failure('picturesStopped'));
    }
    this.#thread.post(request);
    const answer = await this.#thread.next(jobMs);
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
    this.#thread?.kill();
    if (!this.#hasEnded) this.#crashes = [...this.#crashes, performance.now()];
    return result;
  }

  #hasTooManyCrashes(): boolean {
    const since = performance.now() - this.#limits.crashWindowMs;
    this.#crashes = this.#crashes.filter((at) => at > since);
    return this.#crashes.length >= this.#limits.maxCrashes;
  }

  #stop(): void {
    clearTimeout(this.#idleTimer);
    this.#thread?.kill();
    this.#thread = undefined;
  }
}

class RunningThread {
  readonly #worker: Worker;
  #onAnswer: (answer: ThreadMessage) => void = () => undefined;
  #hasEnded = false;

  constructor(entry: string) {
    // The environment is empty, because that of Parley may have tokens.
    this.#worker = new Worker(entry, { env: {}, execArgv: [] });
    this.#worker.on('message', (answer: PictureAnswer) => this.#onAnswer(answer));
    // The event `exit` follows and reports the end.
    this.#worker.on('error', () => undefined);
    this.#worker.once('exit', () => {
      this.#hasEnded = true;
      this.#onAnswer({ kind: 'ended' });
    });
    // Comes last, because adding a listener for messages makes the thread keep the process alive again.
    this.#worker.unref();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
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
    this.#hasEnded = true;
    void this.#worker.terminate();
  }
}
