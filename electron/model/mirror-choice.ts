import { type AppError, appError } from '../../shared/errors/app-error.ts';
import type { ModelFile, ModelMirror } from './model-catalogue.ts';

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

  /** `gotBytes` is true if the attempt brought something. */
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

/** Errors of one mirror. `proxyForbids` is among them: a proxy may forbid one mirror and allow the other. */
const unfitCodes: ReadonlySet<string> = new Set([
  'modelMirrorRedirects',
  'modelMirrorUntrusted',
  'modelMirrorAlters',
  'proxyForbids',
]);
const passingProxyCodes: ReadonlySet<string> = new Set([
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
export function isWorthRetry({ code }: AppError): boolean {
  return code.startsWith('modelMirror') || unfitCodes.has(code) || passingProxyCodes.has(code);
}
