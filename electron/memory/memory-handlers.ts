import { done } from '../../shared/errors/app-error.ts';
import type { MemoryHandlers } from '../../shared/ipc/memory-ipc.ts';
import type { MemoryView } from '../../shared/memory/memory-view.ts';
import { moveSentence, removeSentence } from './memory-edits.ts';
import type { MemoryStore } from './memory-store.ts';
import type { MemorySuggester } from './memory-suggester.ts';

interface Deps {
  readonly store: MemoryStore;
  readonly suggester: Pick<MemorySuggester, 'answer'>;
  readonly view: () => MemoryView;
}

export function createMemoryHandlers({ store, suggester, view }: Deps): MemoryHandlers {
  return {
    memory: view,
    addSentence: ({ text }) => store.add(text),
    changeSentence: ({ id, ...change }) => store.change(id, change),
    moveSentence: ({ id, to }) => store.edit(moveSentence(id, to)),
    removeSentence: ({ id }) => store.edit(removeSentence(id)),
    removeAllSentences: () => store.removeAll(),
    answerSuggestion: async ({ id, accepted }) => {
      const error = await suggester.answer(id, accepted);
      return error === undefined ? done : { ok: false, error };
    },
  };
}
