import { done } from '../../shared/errors/app-error.ts';
import type { MemoryHandlers } from '../../shared/ipc/memory-ipc.ts';
import type { MemoryView } from '../../shared/memory/memory-view.ts';
import { moveSentence, removeSentence, type MemoryStore } from './memory-store.ts';
import type { MemorySuggester } from './memory-suggester.ts';
import type { TalkPassages } from './talk-passages.ts';

interface Deps {
  readonly store: MemoryStore;
  readonly suggester: Pick<MemorySuggester, 'answer'>;
  readonly talkPassages: Pick<TalkPassages, 'view' | 'leaveOut'>;
  readonly view: () => MemoryView;
}

export function createMemoryHandlers({
  store,
  suggester,
  talkPassages,
  view,
}: Deps): MemoryHandlers {
  return {
    memory: view,
    addSentence: ({ text }) => store.add(text),
    changeSentence: ({ id, ...change }) => store.change(id, change),
    moveSentence: ({ id, to }) => store.edit(moveSentence(id, to)),
    removeSentence: ({ id }) => store.edit(removeSentence(id)),
    removeAllSentences: () => store.removeAll(),
    talkPassages: () => talkPassages.view,
    leaveOutTalkPassage: ({ place }) => talkPassages.leaveOut(place),
    answerSuggestion: async ({ id, accepted }) => {
      const error = await suggester.answer(id, accepted);
      return error === undefined ? done : { ok: false, error };
    },
  };
}
