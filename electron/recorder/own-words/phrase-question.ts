import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { WrittenSession } from '../../session/session.ts';
import { samplesOf } from './waiting-phrases.ts';
import type { WaitingPhrase } from './waiting-phrases.ts';

/** More than a phrase of the greatest length has words. */
const maxNewTokens = 400;

/** What is asked of a server's chat, so that it writes down what was said and nothing else. */
export function phraseQuestion(
  { system, request }: CoreMessages['phrasePrompt'],
  phrase: WaitingPhrase,
): Parameters<WrittenSession['ask']>[0] {
  return {
    messages: [
      { role: 'system', content: system },
      {
        role: 'user',
        content: [
          { type: 'text', text: request },
          { type: 'audio', audio: samplesOf(phrase) },
        ],
      },
    ],
    streaming: true,
    maxNewTokens,
    thinking: false,
    speech: { enabled: false },
  };
}
