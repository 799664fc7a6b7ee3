/** What servers call an answer that met its length limit. */
const cutReasons: ReadonlySet<string> = new Set([
  'length',
  'max_length',
  'max_tokens',
  'max_new_tokens',
  'max_output_tokens',
  'incomplete',
]);

/** What documents say of an answer whose length nobody limits. */
export const defaultAnswerTokens = 256;

const sentenceEnd = /[.!?。！？…:：)\]}）】"'”’`*|~]\s*$/u;

interface AnswerEnd {
  readonly reason: string;
  readonly text: string;
  /** How many tokens the server says it has made. */
  readonly tokens: number | undefined;
  /** What it was allowed. */
  readonly limit: number | undefined;
}

/**
 * Documents and deployed servers call every end `turn_end`; these also say how many tokens they made. All
 * that were allowed, and no end of a sentence: that is an answer which was cut.
 */
export function isCutShort({ reason, text, tokens, limit }: AnswerEnd): boolean {
  if (cutReasons.has(reason)) return true;
  const full = tokens !== undefined && tokens >= (limit ?? defaultAnswerTokens);
  return full && text.trim() !== '' && !sentenceEnd.test(text);
}
