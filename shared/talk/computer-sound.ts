import type { AppError } from '../errors/app-error.ts';

/** Whether the model hears what the computer plays. */
export type ComputerSoundState =
  /** This system has no way to capture it, so nothing offers it. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'off' | 'opening' | 'on' }
  /** The user turned it on, but capture failed; Parley keeps trying. */
  | { readonly kind: 'lost'; readonly error: AppError };
