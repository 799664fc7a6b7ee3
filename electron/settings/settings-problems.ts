import type { AppError } from '../../shared/errors/app-error.ts';
import type { ErrorCode } from '../../shared/errors/error-codes.ts';

export type SettingsProblemEvent =
  /** What was stored could not be read, or what is new cannot be kept. */
  | { readonly kind: 'problem'; readonly error: AppError }
  /** It can be kept again. */
  | { readonly kind: 'problemOver'; readonly code: ErrorCode };

/** What is wrong with the settings now, for those who hear of it at once and for those who come too late. */
export class SettingsProblems {
  readonly #tell: (event: SettingsProblemEvent) => void;
  #all: readonly AppError[] = [];

  constructor(tell: (event: SettingsProblemEvent) => void) {
    this.#tell = tell;
  }

  get all(): readonly AppError[] {
    return this.#all;
  }

  report(error: AppError): void {
    this.#all = [...this.#all, error];
    this.#tell({ kind: 'problem', error });
  }

  reportOver(code: ErrorCode): void {
    if (!this.#all.some((problem) => problem.code === code)) return;
    this.#all = this.#all.filter((problem) => problem.code !== code);
    this.#tell({ kind: 'problemOver', code });
  }
}
