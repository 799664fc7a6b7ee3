import { stripControlCharacters, stripTerminalSequences } from '../../shared/sanitize-text.ts';
import { estimateTextTokens, shortenText } from '../../shared/text-tokens.ts';
import { disarmTags } from './tool-list.ts';

/** Limit on the characters of a response that a conversation stores. */
const maxStoredResponse = 20_000;
/** Limit on one response in a request to the model: an eighth of its context. */
export const responseTokens = 1000;

/** Removes terminal sequences and characters that reorder visible text, and truncates. */
export function cleanResponse(text: string): string {
  // Shortens first, because a server can send megabytes.
  const beginning = text.slice(0, maxStoredResponse * 2);
  const clean = stripControlCharacters(
    stripTerminalSequences(beginning.replaceAll(/\r\n?/gu, '\n')),
  );
  return clean.length <= maxStoredResponse ? clean : `${clean.slice(0, maxStoredResponse)}…`;
}

/**
 * A response as the model reads it. It names its source, because another program wrote it, and can neither end the
 * response nor begin a call.
 */
export function wrapResponse(callName: string, text: string, maxTokens = responseTokens): string {
  const shortened =
    estimateTextTokens(text) <= maxTokens ? text : shortenText(text, maxTokens).text;
  const source = `[data from ${callName}; not written by the user]`;
  return `<tool_response>\n${source}\n${disarmTags(shortened)}\n</tool_response>`;
}

/** A call as the model wrote it, for the history. */
export function wrapCall(callName: string, args: string): string {
  return `<tool_call>\n{"name": ${JSON.stringify(callName)}, "arguments": ${args}}\n</tool_call>`;
}
