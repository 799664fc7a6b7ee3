import { appError, type AppError, type Outcome } from '../../shared/errors/app-error.ts';
import type { ModelDownloadState } from '../../shared/model/local-model-state.ts';
import type { ModelFile, ModelMirror } from './model-catalogue.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Job } from './model-disk.ts';

/** Long enough to smooth out single slow seconds. */
const speedWindowMs = 10_000;
/** A shorter measurement would give a wrong remaining time. */
const minSpeedMs = 1500;

/** Average speed over the last ten seconds. */
class DownloadSpeed {
  #samples: readonly { readonly at: number; readonly bytes: number }[] = [];

  /** `bytes` is the total so far. Call it at a regular pace. */
  add(at: number, bytes: number): void {
    const last = this.#samples.at(-1);
    // A download that starts over has no speed.
    const samples = last !== undefined && bytes < last.bytes ? [] : this.#samples;
    this.#samples = [...samples.filter((sample) => at - sample.at <= speedWindowMs), { at, bytes }];
  }

  /** 0 until it is known. */
  get bytesPerSecond(): number {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (first === undefined || last === undefined || last.at - first.at < minSpeedMs) return 0;
    return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
  }
}

interface ProgressPorts {
  readonly totalBytes: number;
  readonly files: number;
  /** Bytes on the disk when the download begins. */
  readonly bytes: number;
  readonly now: () => number;
  /** The host that serves the files now. */
  readonly mirror: () => string;
  readonly show: (state: ModelDownloadState) => void;
}

/** Shows the progress of a download of several files: its bytes, speed and remaining time. */
export class DownloadProgress {
  readonly #ports: ProgressPorts;
  readonly #speed = new DownloadSpeed();
  #otherBytes: number;
  #file = 1;
  #fileBytes = 0;
  #trouble: AppError | undefined;
  #isTroubleBrief = false;

  constructor(ports: ProgressPorts) {
    this.#ports = ports;
    this.#otherBytes = ports.bytes;
  }

  get fileBytes(): number {
    return this.#fileBytes;
  }

  beginFile(position: number, bytes: number): void {
    this.#file = position;
    // The previous file is complete, so its bytes count with the other files. The bytes of this file leave that count.
    this.#otherBytes += this.#fileBytes - bytes;
    this.#fileBytes = bytes;
    this.tick();
  }

  readonly setFileBytes = (bytes: number): void => {
    if (bytes > this.#fileBytes && this.#isTroubleBrief) this.#trouble = undefined;
    this.#fileBytes = bytes;
  };

  /** Shows the failure until bytes come again, or until the download ends if another mirror takes over. */
  fail(error: AppError, isOtherMirror: boolean): void {
    this.#trouble = error;
    this.#isTroubleBrief = !isOtherMirror;
    this.tick();
  }

  readonly tick = (): undefined => {
    const { totalBytes, files, now, mirror, show } = this.#ports;
    const bytes = this.#otherBytes + this.#fileBytes;
    this.#speed.add(now(), bytes);
    const { bytesPerSecond } = this.#speed;
    show({
      kind: 'downloading',
      file: this.#file,
      files,
      bytes,
      totalBytes,
      bytesPerSecond,
      secondsLeft:
        bytesPerSecond > 0 ? Math.ceil((totalBytes - bytes) / bytesPerSecond) : undefined,
      mirror: mirror(),
      ...(this.#trouble && { trouble: this.#trouble }),
    });
  };
}

/** The download gives up after this many failures in a row without a new byte, which takes about ten minutes. */
const maxFailures = 20;
const pausesMs = [1000, 2000, 5000, 15_000, 30_000, 60_000] as const;

export type NextAttempt =
  | { readonly kind: 'retry'; readonly waitMs: number }
  | { readonly kind: 'giveUp'; readonly error: AppError };

/** Chooses the mirror of each attempt. Skips a mirror for a file that it cannot serve. */
export class MirrorChoice {
  readonly #mirrors: readonly ModelMirror[];
  #current: ModelMirror;
  #file: ModelFile | undefined;
  #failures = 0;
  readonly #unfit = new Map<ModelMirror, AppError>();

  constructor(mirrors: readonly ModelMirror[], preferred: ModelMirror) {
    this.#mirrors = mirrors;
    this.#current = preferred;
  }

  get current(): ModelMirror {
    return this.#current;
  }

  begin(file: ModelFile): void {
    this.#file = file;
    this.#failures = 0;
    this.#unfit.clear();
  }

  /** `gotBytes`: the attempt brought new bytes. */
  fail(error: AppError, gotBytes: boolean): NextAttempt {
    if (isMirrorUnfit(error)) {
      this.#unfit.set(this.#current, error);
      const next = this.#nextFit();
      if (next === undefined) return { kind: 'giveUp', error: this.#allUnfit(error) };
      this.#current = next;
      return { kind: 'retry', waitMs: 0 };
    }
    this.#failures = gotBytes ? 0 : this.#failures + 1;
    if (this.#failures >= maxFailures) return { kind: 'giveUp', error };
    // The connection broke. The same mirror is tried again, because it was fast enough.
    if (gotBytes && error.code !== 'modelMirrorSlow') return { kind: 'retry', waitMs: pausesMs[0] };
    const next = this.#nextFit() ?? this.#current;
    const isFresh = next !== this.#current && this.#failures <= 1;
    this.#current = next;
    return { kind: 'retry', waitMs: isFresh ? 0 : this.#pause() };
  }

  /** The next mirror in order; the current one comes last. */
  #nextFit(): ModelMirror | undefined {
    const at = this.#mirrors.indexOf(this.#current);
    const order = [...this.#mirrors.slice(at + 1), ...this.#mirrors.slice(0, at + 1)];
    return order.find((mirror) => !this.#unfit.has(mirror));
  }

  /** Grows with each round over the mirrors. */
  #pause(): number {
    const round = Math.floor(Math.max(0, this.#failures - 1) / this.#mirrors.length);
    return pausesMs[Math.min(round, pausesMs.length - 1)] ?? 0;
  }

  #allUnfit(last: AppError): AppError {
    const haveAllAltered = [...this.#unfit.values()].every(
      ({ code }) => code === 'modelMirrorAlters',
    );
    return haveAllAltered && this.#file !== undefined && this.#unfit.size > 1
      ? appError('modelMirrorsAlter', { name: this.#file.path })
      : last;
  }
}

/** Errors that concern one mirror only. A proxy may forbid one mirror and allow the other. */
const unfitCodes: ReadonlySet<string> = new Set([
  'modelMirrorRedirects',
  'modelMirrorUntrusted',
  'modelMirrorAlters',
  'proxyForbids',
]);
const temporaryProxyCodes: ReadonlySet<string> = new Set([
  'proxyAway',
  'proxySlow',
  'proxyReachesNothing',
]);

/** Whether the same request to this mirror would fail again. */
function isMirrorUnfit(error: AppError): boolean {
  const { code } = error;
  if (code !== 'modelMirrorRefuses') return unfitCodes.has(code);
  // 408 and 429 ask the client to wait; a fault of the server, from 500 on, may pass.
  const { status } = error.facts;
  return status < 500 && status !== 408 && status !== 429;
}

/** Whether another attempt may succeed. Not after an error of the disk, or if a proxy needs another password. */
export function mayRetryDownload({ code }: AppError): boolean {
  return code.startsWith('modelMirror') || unfitCodes.has(code) || temporaryProxyCodes.has(code);
}

/** A sequence of jobs that can be stopped as one. */
export class FileTask {
  readonly #clock: Clock;
  #isStopped = false;
  #stopStep: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopStep?.();
  }

  /** Undefined if the task was stopped. */
  async follow<Value>({ result, stop }: Job<Value>): Promise<Outcome<Value> | undefined> {
    this.#stopStep = stop;
    if (this.#isStopped) stop();
    const outcome = await result;
    this.#stopStep = undefined;
    return outcome;
  }

  /** Ends early if the task is stopped. */
  async wait(milliseconds: number): Promise<void> {
    if (this.#isStopped || milliseconds === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(milliseconds, resolve);
      this.#stopStep = () => {
        cancel();
        resolve();
      };
    });
    this.#stopStep = undefined;
  }
}
