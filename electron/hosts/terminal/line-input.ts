import type { AppError } from '../../../shared/errors/app-error.ts';

/** One line, or why there is none. */
export type InputLine =
  /** `goesOn` where it stands in the middle of what was pasted. */
  | { readonly kind: 'line'; readonly text: string; readonly goesOn: boolean }
  /** Ctrl-C at the prompt; `cleared` where something stood there, which is gone. */
  | { readonly kind: 'interrupted'; readonly cleared: boolean }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly error: AppError };

/** What a person types, or a script pipes in, a line at a time. */
export interface LineInput {
  /** A person sits there, with a prompt. */
  readonly typed: boolean;
  /** Asked for one after the other; what is typed meanwhile waits. */
  readonly next: (prompt: string) => Promise<InputLine>;
  /** Whoever waits for a line learns that there are no more. */
  readonly close: () => void;
}

/** Opens it; Ctrl-C is told where nobody waits for a line. */
export type OpenLineInput = (interrupted: () => void) => LineInput;
