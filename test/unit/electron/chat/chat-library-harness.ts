import { ChatLibrary } from '../../../../electron/chat/chat-library.ts';
import { MediaCache } from '../../../../electron/chat/attachments.ts';
import type { ChatThread, Part } from '../../../../shared/chat/chat-thread.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import { FakeChatStore, chatIndexFromStore } from '../../../fakes/fake-chat-store.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';

export function openLibrary({
  keep = true,
  store = new FakeChatStore(),
  media = new MediaCache(),
  index = chatIndexFromStore(store),
} = {}) {
  const problems: string[] = [];
  const withdrawn: string[] = [];
  const changedAt: number[] = [];
  const clock = new FakeClock();
  const library = new ChatLibrary(keep, {
    store,
    index,
    media,
    clock,
    emit: (event) => {
      if (event.kind === 'problem') problems.push(englishErrorMessage(event.error));
      else if (event.kind === 'problemOver') withdrawn.push(event.code);
      else changedAt.push(clock.now());
    },
  });
  return { library, store, media, problems, withdrawn, changedAt, clock };
}

export function conversation(id: string, said: string, more: Partial<ChatThread> = {}): ChatThread {
  const parts: readonly Part[] = [{ type: 'text', text: said }];
  return {
    id,
    title: said.slice(0, 10),
    createdAt: 1,
    updatedAt: 1,
    pinned: false,
    turns: [{ role: 'user', id: `${id}1`, at: 1, parts }],
    branches: [],
    ...more,
  };
}
