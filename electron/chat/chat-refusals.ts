import type { Why } from '../../shared/why.ts';
import type { Outcome } from '../ports/outcome.ts';

const refuse = (problem: string, why: Why): Outcome<never> => ({ ok: false, problem, why });

/** What a conversation says no to, in the terminal's words and with the code for the page's. */
export const chatRefusals = {
  answerComing: refuse(
    'An answer is still coming: wait for its end or stop it first.',
    'answerComing',
  ),
  messageGone: refuse('This message is no longer there.', 'messageGone'),
  questionGone: refuse('The question to this answer is no longer there.', 'questionGone'),
  speechGone: refuse(
    'The speech of this answer is no longer kept. Ask anew to hear it.',
    'speechGone',
  ),
  noPlayer: refuse('There is no speaker to play it on.', 'noPlayer'),
  beforeGone: refuse('What was here before is no longer there.', 'beforeGone'),
} as const;
