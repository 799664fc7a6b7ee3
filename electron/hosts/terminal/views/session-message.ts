import type { AppError } from '../../../../shared/errors/app-error.ts';
import { isCertificateFault } from '../../../../shared/errors/error-codes.ts';
import { rootError } from '../../../../shared/errors/session-reasons.ts';
import { answerSettingsOf } from '../../../../shared/talk/only-listening.ts';
import type { ConversationEvent } from '../../../conversation/conversation-event.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/describe-app-error.ts';

/** What went wrong with a session, and the options that only a command has. */
export function sessionMessage(error: AppError): string {
  const message = englishErrorMessage(error);
  if (!isCertificateFault(rootError(error).code)) return message;
  return `${message} Trust it with --fingerprint, or take any certificate with --insecure.`;
}

const answerOptions = {
  listenProbScale: 'a lower --config listen_prob_scale=0.8',
  lengthPenalty: 'a higher --length-penalty 1.3',
} as const;

/** The server never answers, and what may help. */
export function onlyListensMessage({
  dialect,
  spokenSeconds,
}: Extract<ConversationEvent, { event: 'onlyListens' }>): string {
  const options = answerSettingsOf(dialect).map((setting) => answerOptions[setting]);
  const help = ['a louder microphone', ...options, 'another server'].join(', ');
  return `The server has heard ${spokenSeconds} s of speech and only listens. What may help: ${help}.`;
}
