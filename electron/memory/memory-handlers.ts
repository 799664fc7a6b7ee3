import type { MemoryHandlers } from '../../shared/ipc/memory-ipc.ts';
import { moveSentence, removeSentence } from './memory-edits.ts';
import type { MemoryStore } from './memory-store.ts';

export function createMemoryHandlers(store: MemoryStore): MemoryHandlers {
  return {
    memory: () => store.view,
    addSentence: ({ text }) => store.add(text),
    changeSentence: ({ id, ...change }) => store.change(id, change),
    moveSentence: ({ id, to }) => store.edit(moveSentence(id, to)),
    removeSentence: ({ id }) => store.edit(removeSentence(id)),
    removeAllSentences: () => store.removeAll(),
  };
}
