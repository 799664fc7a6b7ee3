import type { SettingsUiState } from '../../../renderer/settings/settings-ui-state.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import {
  globalKeyOff,
  type GlobalKeyState,
  type GlobalKeyView,
} from '../../../shared/talk/global-key.ts';
import { type GalleryState, inLanguage } from '../gallery-state.ts';
import { sampleSettings, section } from '../sample-settings.ts';
import { live } from './talk.ts';
import type { UiState } from '../../../renderer/app/ui-state.ts';
import { emptyDraft, initialChatUiState } from '../../../renderer/chat/chat-ui-state.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import type { MemorySentence, MemoryView } from '../../../shared/memory/memory-view.ts';
import { answer, conversationOf, question } from '../sample-talk.ts';
import { noUpdates, type UpdateView } from '../../../shared/app/program.ts';
import type { ReleaseNotes } from '../../../shared/updates/update-feed.ts';

const key = 'Control+F8';

function globalKey(
  state: GlobalKeyState,
  part: Partial<SettingsUiState> = {},
  view: Partial<GlobalKeyView> = {},
): GalleryState {
  const talking = {
    ...sampleSettings.talking,
    mode: 'holdOrTap' as const,
    everywhere: true,
    globalKey: key,
  };
  return {
    view: (language) => ({
      ...section('talking', part, { talking }).view(language),
      globalKey: { ...globalKeyOff, ...view, state },
    }),
  };
}

const hook: GlobalKeyState = { kind: 'active', method: 'uiohook' };

export const keyStates: Readonly<Record<string, GalleryState>> = {
  'settings-global-key-uiohook': globalKey(
    hook,
    {},
    // In the local time zone of the viewer.
    { seen: { event: 'release', at: new Date(2026, 10, 22, 10, 42, 7).getTime() } },
  ),
  'settings-global-key-unavailable': globalKey({
    kind: 'unavailable',
    error: appError('globalKeyNowhere'),
  }),
  'settings-global-key-tested': globalKey(hook, { busy: ['globalKeyTest'] }),
  'settings-global-key-silent': globalKey(hook, {
    globalKeyTest: { key, result: { arrived: false } },
  }),
  'live-other-keys': {
    view: (language) => ({
      ...live(language),
      settings: {
        ...sampleSettings,
        talking: { ...sampleSettings.talking, everywhere: true, globalKey: key },
        keys: { ...sampleSettings.keys, interrupt: 'F7', pause: 'F6', shortcuts: 'F2' },
      },
    }),
  },
  'settings-keys': section('keys'),
  'settings-keys-recording': { ...section('keys'), click: '.row:nth-of-type(3) .button' },
  'settings-keys-conflict': section('keys', {
    keyConflict: { owner: 'mute', key: 'Control+KeyK', others: ['palette', 'talk'] },
  }),
};

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
        isRead: true,
        conversation,
        drafts: { [conversation.id]: { ...emptyDraft, text } },
        foundPast: past,
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

const version = '0.2.0';
const samples = {
  en: '- Answers begin sooner.\n- A talk goes on where the network was away for a moment.',
  zh: '- 回答开始得更快。\n- 网络短暂中断后，通话会继续。',
};

const notesIn = (language: Language): ReleaseNotes => ({
  [language]: inLanguage(samples, language),
});

const about = (part: (notes: ReleaseNotes) => Partial<UpdateView>): GalleryState => ({
  view: (language) => ({
    ...section('about').view(language),
    about: { name: 'Parley', version: '0.1.0', host: 'desktop', runtime: [] },
    updates: { ...noUpdates, mode: 'installs', ...part(notesIn(language)) },
  }),
});

export const updateStates: Readonly<Record<string, GalleryState>> = {
  'updates-ready': about((notes) => ({
    step: { kind: 'ready', version, notes },
    previous: '0.0.9',
  })),
  'updates-offered': about((notes) => ({
    mode: 'announces',
    step: { kind: 'offered', version, notes, address: 'https://updates.example/Parley.tar.gz' },
  })),
  'updates-fetching': about((notes) => ({
    step: { kind: 'fetching', fraction: 0.42, version, notes },
  })),
  'updates-refused': about(() => ({
    problem: appError('updateUnsigned', { host: 'updates.example' }),
  })),
  'updates-talking': {
    view: (language) => ({
      ...live(language),
      ...about(() => ({ step: { kind: 'waiting', version, notes: {} }, previous: '0.0.9' })).view(
        language,
      ),
    }),
  },
  'updates-told': {
    view: (language) => ({
      settings: sampleSettings,
      updates: {
        ...noUpdates,
        mode: 'installs',
        step: { kind: 'ready', version, notes: notesIn(language) },
        unseenVersion: version,
      },
    }),
  },
};
