import type { ChatOptions } from '../../shared/chat/chat-options.ts';
import type { SentHistory } from '../../shared/chat/chat-patch.ts';
import type { Turn, UserTurn } from '../../shared/chat/chat-thread.ts';
import type { Failure, Outcome } from '../ports/outcome.ts';
import type { ChatSessionDeps } from './chat-session.ts';
import { buildChatHistory } from './chat-history.ts';
import type { ChatQuestion } from './chat-connection.ts';

export interface PreparedQuestion {
  readonly turn: ChatQuestion;
  readonly sent: SentHistory;
}

/** More than this is no message any more; a pasted book has half of it. */
const maxTextLength = 1_000_000;

/** Everything that goes to the server with a question, or why it cannot be asked. */
export function prepareQuestion(
  earlier: readonly Turn[],
  question: UserTurn,
  options: ChatOptions,
  { media, voice }: Pick<ChatSessionDeps, 'media' | 'voice'>,
): Outcome<PreparedQuestion> {
  const fault = faultOf(question);
  if (fault !== undefined) return fault;
  const samples = options.voice === undefined ? undefined : voice?.(options.voice);
  if (options.speech && options.voice !== undefined && samples === undefined) {
    const problem = 'The voice that is chosen for answers is no longer there. Choose another one.';
    return { ok: false, problem, why: 'answerVoiceGone' };
  }
  const history = buildChatHistory(earlier, question, options, media);
  if (!history.ok) return history;
  const { messages, sent, hasSound } = history.value;
  const turn: ChatQuestion = {
    messages,
    streaming: options.streaming,
    maxNewTokens: options.maxNewTokens,
    lengthPenalty: options.lengthPenalty,
    maxSlices: options.maxSlices,
    omni: hasSound ? true : undefined,
    speech: options.speech ? { enabled: true, voice: samples } : undefined,
    useTtsTemplate: options.speech ? true : undefined,
    thinking: options.thinking ? true : undefined,
  };
  return { ok: true, value: { turn, sent } };
}

function faultOf({ parts }: UserTurn): Failure | undefined {
  const says = parts.some((part) => part.type !== 'text' || part.text.trim() !== '');
  if (!says) {
    const problem = 'There is nothing to send yet: write something or attach a picture or a sound.';
    return { ok: false, problem, why: 'nothingToSend' };
  }
  const long = parts.some((part) => part.type === 'text' && part.text.length > maxTextLength);
  if (!long) return undefined;
  const problem =
    'This text is too long: a message may have 1,000,000 characters. Send it in parts.';
  return { ok: false, problem, why: 'textLong' };
}
