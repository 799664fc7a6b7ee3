import type { ChatStore } from '../ports/chat-store.ts';
import type { Outcome } from '../ports/outcome.ts';
import { parseStoredChat } from './stored-chat.ts';

/** The stored conversations in which nothing was written since, pinned ones excepted. */
export async function oldChatsIn(
  store: Pick<ChatStore, 'list' | 'read'>,
  since: number,
): Promise<Outcome<readonly string[]>> {
  const listed = await store.list();
  if (!listed.ok) return listed;
  const old: string[] = [];
  for (const { id, version } of listed.value) {
    // What was written lately is no older than that, and need not be read. Versions begin with the time of the file.
    if (Number(version.split(' ', 1)[0]) >= since) continue;
    const stored = await store.read(id);
    const chat = stored.ok ? parseStoredChat(id, stored.value.text) : undefined;
    if (chat !== undefined && !chat.pinned && chat.updatedAt < since) old.push(id);
  }
  return { ok: true, value: old };
}
