import type { ChatReply } from './chat-reply.ts';

/** A reply as far as it may go. */
export interface TruncatedReply {
  /** One for each token, which here is a word with the space before it. */
  readonly pieces: readonly string[];
  readonly complete: boolean;
  /** As much of the sound as belongs to it. */
  readonly samples: number;
}

export function truncateReply(
  { text, utterance, spoken }: ChatReply,
  maxTokens: number,
): TruncatedReply {
  const all = text.match(/\s*\S+/g) ?? [];
  const complete = all.length <= maxTokens;
  const length = utterance?.audio.length ?? 0;
  // Only where the voice says the text do the text's words tell where to stop.
  const lastWord = spoken === 'text' ? utterance?.words[maxTokens - 1] : undefined;
  return {
    pieces: complete ? all : all.slice(0, maxTokens),
    complete,
    samples: complete ? length : (lastWord?.end ?? length),
  };
}
