import type { UiState } from '../../../renderer/app/ui-state.ts';
import { emptyDraft, initialChatUiState } from '../../../renderer/chat/chat-ui-state.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import type { MemorySentence, MemoryView } from '../../../shared/memory/memory-view.ts';
import { type GalleryState, inLanguage } from '../gallery-state.ts';
import { live } from './talk.ts';
import { answer, conversationOf, question } from '../sample-chat.ts';
import { sampleSettings, section } from '../sample-settings.ts';

const when = Date.UTC(2026, 10, 21, 9);

const texts = {
  en: [
    'I live in Bergen and work as a nurse.',
    'My daughter Ada is six and learns the violin.',
    'I am allergic to nuts.',
    'The lighthouse',
  ],
  zh: ['我住在青岛，是一名护士。', '我女儿叫小雨，六岁，在学小提琴。', '我对坚果过敏。', '灯塔'],
} as const;

const suggested = {
  en: ['I live in Oslo now.', 'My son Tom plays chess.', 'The move'],
  zh: ['我现在住在厦门。', '我儿子小宁在学围棋。', '搬家'],
} as const;

function memoryOf(language: Language): MemoryView {
  const [home, child, nuts, title] = inLanguage<readonly [string, string, string, string]>(
    texts,
    language,
  );
  const sentence = (
    id: string,
    text: string,
    part: Partial<MemorySentence> = {},
  ): MemorySentence => ({
    id,
    text,
    source: { kind: 'person', when },
    on: true,
    changedAt: when,
    ...part,
  });
  const sentences = [
    sentence('a1', home),
    sentence('a2', child, { source: { kind: 'talk', id: '2026-11-21', title, when } }),
    sentence('a3', nuts, { source: { kind: 'chat', id: 'c1', title: '', when }, on: false }),
  ];
  return { sentences, tokens: 42, suggestions: [] };
}

function suggesting(language: Language): MemoryView {
  const { sentences, tokens } = memoryOf(language);
  const [moved, child, title] = inLanguage<readonly [string, string, string]>(suggested, language);
  const source = { kind: 'talk', id: '2026-11-27', title, when } as const;
  const suggestions = [
    { id: 's1', text: moved, source, replaces: 'a1' },
    { id: 's2', text: child, source },
  ];
  return { sentences, tokens, suggestions };
}

const memory = (
  part: (language: Language) => Partial<UiState>,
  of: GalleryState = section('memory'),
): GalleryState => ({
  ...of,
  view: (language: Language) => ({ ...of.view(language), ...part(language) }),
});

export const memoryStates: Readonly<Record<string, GalleryState>> = {
  'settings-memory': memory((language) => ({ memory: memoryOf(language) })),
  'settings-memory-empty': memory(() => ({
    memory: { sentences: [], tokens: 0, suggestions: [] },
  })),
  'settings-memory-suggested': memory((language) => ({ memory: suggesting(language) })),
  'settings-memory-asked': memory((language) => ({
    memory: suggesting(language),
    settings: { ...sampleSettings, memory: { ...sampleSettings.memory, suggest: 'offer' } },
  })),
  'memory-notice': memory((language) => ({ memory: suggesting(language) }), {
    view: () => ({ settings: sampleSettings }),
  }),
  'chat-past': memory((language) => {
    const title = inLanguage({ en: 'The lighthouse', zh: '灯塔' }, language);
    const text = inLanguage(
      { en: 'What did I say about the lighthouse?', zh: '上次我说的灯塔在哪里？' },
      language,
    );
    const past = [{ kind: 'talk', id: '2026-11-21', title, at: when, turn: 2 }] as const;
    const conversation = conversationOf([{ ...question('q', text), past }, answer('a', title)]);
    return {
      screen: 'chat',
      settings: { ...sampleSettings, memory: { ...sampleSettings.memory, past: true } },
      chat: {
        ...initialChatUiState,
        conversation,
        drafts: { [conversation.id]: { ...emptyDraft, text } },
        past: { found: past, leftOut: [] },
      },
    };
  }),
  'talk-past': memory(
    (language) => {
      const title = inLanguage({ en: 'The lighthouse', zh: '灯塔' }, language);
      const passages = [{ kind: 'talk', id: '2026-11-21', title, at: when, turn: 2 }] as const;
      return { talkPassages: { passages, isSent: false } };
    },
    { view: live },
  ),
  'settings-memory-off': memory((language) => ({
    memory: memoryOf(language),
    settings: { ...sampleSettings, memory: { ...sampleSettings.memory, use: false } },
  })),
  'settings-memory-damaged': memory(
    () => ({
      memory: {
        sentences: [],
        tokens: 0,
        suggestions: [],
        problem: appError('memoryPutAside', { path: '/home/ada/memory.damaged-1.json' }),
      },
    }),
    section('memory', { fields: { 'memory.write': { problem: appError('memoryListFull') } } }),
  ),
};
