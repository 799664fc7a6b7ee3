import { failure } from '../../shared/errors/app-error.ts';
import type { ChatOptions } from '../../shared/chat/chat-options.ts';
import type { SentHistory } from '../../shared/chat/chat-patch.ts';
import type { Turn, UserTurn } from '../../shared/chat/chat-thread.ts';
import type { Failure } from '../../shared/errors/app-error.ts';
import type { Outcome } from '../ports/outcome.ts';
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
  { media, voice, manner }: Pick<ChatSessionDeps, 'media' | 'voice' | 'manner'>,
): Outcome<PreparedQuestion> {
  const fault = faultOf(question);
  if (fault !== undefined) return fault;
  const samples = options.voice === undefined ? undefined : voice?.(options.voice);
  if (options.speech && options.voice !== undefined && samples === undefined) {
    return failure('answerVoiceGone');
  }
  const history = buildChatHistory(earlier, question, options, media, manner?.());
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
    useTtsTemplate: options.speech ? (options.ttsTemplate ?? true) : undefined,
    thinking: options.thinking ? true : undefined,
  };
  return { ok: true, value: { turn, sent } };
}

function faultOf({ parts }: UserTurn): Failure | undefined {
  const says = parts.some((part) => part.type !== 'text' || part.text.trim() !== '');
  if (!says) {
    return failure('nothingToSend');
  }
  const long = parts.some((part) => part.type === 'text' && part.text.length > maxTextLength);
  if (!long) return undefined;
  return failure('textLong');
}
