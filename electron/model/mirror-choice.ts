import { type AppError, appError } from '../../shared/errors/app-error.ts';
import type { ModelFile, ModelMirror } from './model-catalogue.ts';

/** Failures in a row without a new byte, over about ten minutes; then the download gives up. */
const maxFailures = 20;
const pausesMs = [1000, 2000, 5000, 15_000, 30_000, 60_000] as const;

export type NextAttempt =
  | { readonly kind: 'retry'; readonly waitMs: number }
  | { readonly kind: 'giveUp'; readonly error: AppError };

/** Chooses the mirror of each attempt. A mirror that has no right file is left out for that file. */
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
  failed(error: AppError, gotBytes: boolean): NextAttempt {
    if (isMirrorUnfit(error)) {
      this.#unfit.set(this.#current, error);
      const next = this.#nextFit();
      if (next === undefined) return { kind: 'giveUp', error: this.#allUnfit(error) };
      this.#current = next;
      return { kind: 'retry', waitMs: 0 };
    }
    this.#failures = gotBytes ? 0 : this.#failures + 1;
    if (this.#failures >= maxFailures) return { kind: 'giveUp', error };
    // A connection that broke is tried again at the same mirror, which was fast enough so far.
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
    const alters = [...this.#unfit.values()].every(({ code }) => code === 'modelMirrorAlters');
    return alters && this.#file !== undefined && this.#unfit.size > 1
      ? appError('modelMirrorsAlter', { name: this.#file.path })
      : last;
  }
}

/** A proxy may forbid one mirror and allow the other. */
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

/** True if the same request would fail again. */
function isMirrorUnfit(error: AppError): boolean {
  const { code } = error;
  if (code !== 'modelMirrorRefuses') return unfitCodes.has(code);
  // 408 and 429 ask for patience; from 500 on the server has a fault that may pass.
  const { status } = error.facts;
  return status < 500 && status !== 408 && status !== 429;
}

/** True if another attempt may succeed: not if the disk failed, or a proxy needs another password. */
export function isWorthRetry({ code }: AppError): boolean {
  return code.startsWith('modelMirror') || unfitCodes.has(code) || passingProxyCodes.has(code);
}
