import { stripControlCharacters, stripTerminalSequences } from '../../shared/sanitize-text.ts';

/** Limit in characters, more than fits into the context of a model. */
export const maxQuotedLength = 100_000;

export interface CopiedText {
  readonly text: string;
  /** The text was longer than Parley takes. */
  readonly cut: boolean;
}

/** Removes what a terminal executes and what reorders visible text, and limits the length. */
export function cleanCopiedText(copied: string): CopiedText {
  const limited = copied.slice(0, maxQuotedLength);
  return { text: withoutCommands(limited), cut: copied.length > limited.length };
}

function withoutCommands(text: string): string {
  return stripControlCharacters(stripTerminalSequences(text).replaceAll(/\r\n?/gu, '\n'));
}

/**
 * Quotes a text of another program as data for the model, between rows of backticks. The rows are longer than any in the
 * text, so that the text cannot end the quotation.
 */
export function quoteCopiedText(label: string, { text, cut }: CopiedText, cutNote: string): string {
  const maxRun = Math.max(0, ...(text.match(/`+/gu) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(Math.max(3, maxRun + 1));
  return [label, fence, text, fence, ...(cut ? [cutNote] : [])].join('\n');
}

/**
 * The answer as it is inserted into another program: without control characters and surrounding white space, and without
 * the code fence if the whole answer is one code block.
 */
export function insertableText(answer: string): string {
  const text = withoutCommands(answer).trim();
  const code = /^(`{3,})[^\n`]*\n([\s\S]*?)\n?\1$/u.exec(text);
  return code?.[2] ?? text;
}
