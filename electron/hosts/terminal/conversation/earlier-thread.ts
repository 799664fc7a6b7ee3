import type { ChatThread, Turn } from '../../../../shared/chat/chat-thread.ts';
import type { ChatMessage } from '../../../../shared/protocol/client-event.ts';
import { NewChatTurns } from '../../../chat/new-chat-turns.ts';
import type { Random, WallClock } from '../../../ports/clock.ts';

/** What was said before, from a file; what is the system's there goes with every question. */
export interface EarlierThread {
  readonly thread: ChatThread;
  readonly system: readonly string[];
}

export function earlierThread(
  messages: readonly ChatMessage[],
  deps: { readonly random: Random; readonly wallClock: WallClock },
): EarlierThread {
  const making = new NewChatTurns(deps);
  const said = messages.map(({ role, content }) => ({ role, text: textOf(content) }));
  const turnOf = (role: string, text: string): Turn =>
    role === 'user'
      ? making.question([{ type: 'text', text }])
      : { ...making.answer(), text, state: { kind: 'done', cutShort: false } };
  const turns = said
    .filter(({ role }) => role !== 'system')
    .map(({ role, text }) => turnOf(role, text));
  return {
    thread: { ...making.thread(), turns },
    system: said.filter(({ role }) => role === 'system').map(({ text }) => text),
  };
}

function textOf(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
