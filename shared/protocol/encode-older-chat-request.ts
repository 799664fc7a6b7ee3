import type { Base64 } from './base64.ts';
import type { ChatTurnEvent } from './client-event.ts';
import { encodeChatInput } from './encode-chat.ts';

/**
 * A question as the older generation's own path for written conversations takes it: what stands in an append's
 * `input` elsewhere, alone and without a type. An id of ours has no place there.
 */
export function encodeOlderChatRequest(
  turn: Omit<ChatTurnEvent, 'kind' | 'inputId'>,
  base64: Base64,
): string {
  return JSON.stringify(encodeChatInput({ kind: 'chat', ...turn }, base64));
}
