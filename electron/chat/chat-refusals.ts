import { failure } from '../../shared/errors/app-error.ts';
/** What a conversation says no to. */
export const chatRefusals = {
  answerComing: failure('answerComing'),
  messageGone: failure('messageGone'),
  questionGone: failure('questionGone'),
  speechGone: failure('speechGone'),
  noPlayer: failure('noPlayer'),
  beforeGone: failure('beforeGone'),
} as const;
