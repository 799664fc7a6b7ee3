import type { z } from 'zod';
import { failure } from '../../../shared/errors/app-error.ts';
import type { Failure } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { PictureRequest, StartPictureProcess } from '../../ports/picture-process.ts';
import type { PlanFrame } from '../../ports/pictures.ts';
import { timedOut } from '../with-timeout.ts';
import { readPictureOutcome } from './picture-answers.ts';
import { RunningPictureProcess } from './running-picture-process.ts';

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
  readonly #start: StartPictureProcess;
  readonly #limits: PictureJobLimits;
  readonly #queue = new SerialQueue();
  #running: RunningPictureProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #deaths: readonly number[] = [];
  #ended = false;

  constructor(start: StartPictureProcess, limits: PictureJobLimits = pictureJobLimits) {
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
