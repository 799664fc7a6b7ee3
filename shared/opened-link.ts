import type { AppError } from './errors/app-error.ts';
import type { PresetId } from './presets/preset.ts';

/**
 * A link of Parley's that was opened somewhere: what it proposes, which nobody does before the person has
 * confirmed it, or why it is not followed.
 */
export type OpenedLink =
  | { readonly kind: 'start'; readonly preset?: PresetId | undefined }
  | { readonly kind: 'refused'; readonly error: AppError };
