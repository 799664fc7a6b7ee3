import type { AppError } from '../errors/app-error.ts';
import type { Part } from './chat-thread.ts';

/** A picture or sound that is ready to be sent. */
export interface PreparedAttachment {
  readonly part: Exclude<Part, { type: 'text' }>;
  /** Something worth knowing about what the model will get of it. */
  readonly notice?: AppError | undefined;
}
