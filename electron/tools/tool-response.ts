import { stripControlCharacters, stripTerminalSequences } from '../../shared/sanitize-text.ts';
import { estimateTextTokens, shortenText } from '../../shared/text-tokens.ts';
import { untagged } from './tool-list.ts';

/** Characters of a response that the conversation stores. */
const maxStoredResponse = 20_000;
/** One response in a request to the model: an eighth of its context. */
export const responseTokens = 1000;

/** Removes terminal sequences and characters that reorder visible text, and truncates. */
export function cleanResponse(text: string): string {
  // Cuts first, because a server can send megabytes.
  const near = text.slice(0, maxStoredResponse * 2);
  const clean = stripControlCharacters(stripTerminalSequences(near.replaceAll(/\r\n?/gu, '\n')));
  return clean.length <= maxStoredResponse ? clean : `${clean.slice(0, maxStoredResponse)}…`;
}

/**
 * A response as the model reads it. The text can neither end the response nor begin a call, and says where it comes from,
 * because another program wrote it.
 */
export function wrapResponse(callName: string, text: string, maxTokens = responseTokens): string {
  const fitted = estimateTextTokens(text) <= maxTokens ? text : shortenText(text, maxTokens).text;
  const source = `[data from ${callName}; not written by the user]`;
  return `<tool_response>\n${source}\n${untagged(fitted)}\n</tool_response>`;
}

/** A call as the model wrote it, for the history. */
export function wrapCall(callName: string, args: string): string {
  return `<tool_call>\n{"name": ${JSON.stringify(callName)}, "arguments": ${args}}\n</tool_call>`;
}
