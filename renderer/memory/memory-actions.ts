import { maxSentences, type MemorySentence } from '../../shared/memory/memory-view.ts';
import type { HistoryRef } from '../../shared/recordings/history-item.ts';
import type { OrderedBridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';
import type { SettingsActionContext } from '../settings/field-actions.ts';

/** Field ids of the memory's errors. */
export const memoryListField = 'memory.list';
export const memoryWriteField = 'memory.write';
const suggestionField = 'memory.suggest';

/** The actions of the memory. The list changes when the core confirms. */
export function createMemoryActions(
  { setState }: Store<UiState>,
  bridge: OrderedBridge,
  { ask }: SettingsActionContext,
) {
  const change = (
    id: string,
    part: Partial<Pick<MemorySentence, 'text' | 'on'>>,
  ): Promise<unknown> =>
    ask(memoryListField, () => bridge.request('changeSentence', { id, ...part }));
  return {
    readMemory: async () => {
      await ask(memoryListField, () => bridge.read('memory', (memory) => setState({ memory })));
    },
    /** Resolves whether it was added. */
    addSentence: async (text: string): Promise<boolean> => {
      const added = await ask(memoryWriteField, () => bridge.request('addSentence', { text }));
      return added !== undefined;
    },
    changeSentence: change,
    moveSentence: async (id: string, to: number) => {
      const index = Math.min(Math.max(to, 0), maxSentences);
      await ask(memoryListField, () => bridge.request('moveSentence', { id, to: index }));
    },
    removeSentence: async (id: string) => {
      await ask(memoryListField, () => bridge.request('removeSentence', { id }));
    },
    answerSuggestion: async (id: string, accepted: boolean) => {
      await ask(suggestionField, () => bridge.request('answerSuggestion', { id, accepted }));
    },
    readTalkPassages: () =>
      bridge.read('talkPassages', (talkPassages) => setState({ talkPassages })),
    leaveOutTalkPassage: async ({ kind, id }: HistoryRef) => {
      await bridge.request('leaveOutTalkPassage', { place: { kind, id } });
    },
    removeAllSentences: async () => {
      await ask(memoryListField, () => bridge.request('removeAllSentences', undefined));
    },
  };
}
