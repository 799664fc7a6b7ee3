import type { Part } from '../../shared/chat/conversation.ts';

/** What of a message is words. */
export function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
