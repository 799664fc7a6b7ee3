import type { Part } from '../../../shared/chat/chat-thread.ts';

/** What of a message is words. */
export function textOfParts(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
