import type { AppError } from '../../../shared/errors/app-error.ts';

/** Words that are typed while one talks. They go beside the talk: into a written conversation of their own. */
export interface TypingState {
  readonly open: boolean;
  /** The conversation that was begun for this talk, once there is one. */
  readonly chat: string | undefined;
  readonly error: AppError | undefined;
}

export const noTyping: TypingState = { open: false, chat: undefined, error: undefined };
