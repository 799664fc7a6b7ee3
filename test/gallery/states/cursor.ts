import type { UiState } from '../../../renderer/app/ui-state.ts';
import { initialChatUiState } from '../../../renderer/chat/chat-ui-state.ts';
import type { Turn } from '../../../shared/chat/chat-thread.ts';
import {
  closedQuick,
  type DictationState,
  idleDictation,
  type Offer,
  type QuickState,
  type ServerWait,
} from '../../../shared/cursor/quick-view.ts';
import { appError, sessionError } from '../../../shared/errors/app-error.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import { idleTalkView } from '../../../shared/talk/talk-view.ts';
import { type GalleryState, inLanguage } from '../gallery-state.ts';
import { answer, conversationOf, question, hostileTurns } from '../sample-talk.ts';
import { sampleSettings } from '../sample-settings.ts';
import { live } from './talk.ts';

const cursorSize = { width: 640, height: 420 };
interface Texts {
  readonly selected: string;
  readonly translated: string;
  readonly ask: string;
  readonly answered: string;
  readonly dictated: string;
  readonly window: string;
}

const texts: Readonly<Record<'en' | 'zh', Texts>> = {
  en: {
    selected: 'The harbour closes at six, so please be there before five with both boats.',
    translated: '港口六点关门，请在五点之前带两条船到。',
    ask: 'When do I have to be there?',
    answered: 'Before **five**. The harbour closes at six.',
    dictated: 'Dear Ann, thank you for the two boats. We will be there at half past four.',
    window: 'Letter – Text Editor',
  },
  zh: {
    selected: '港口六点关门，请在五点之前带两条船到。',
    translated: 'The harbour closes at six; please bring both boats before five.',
    ask: '我几点要到？',
    answered: '**五点**之前。港口六点关门。',
    dictated: '安娜你好，谢谢你的两条船。我们四点半到。',
    window: '信件 – 文本编辑器',
  },
};

function offersOf(words: Texts, included: boolean): readonly Offer[] {
  const { selected, window } = words;
  return [
    { kind: 'selection', excerpt: selected, characters: selected.length, cut: false, included },
    { kind: 'clipboard', excerpt: '', characters: 0, cut: false, included: false },
    { kind: 'window', excerpt: window, characters: window.length, cut: false, included: false },
  ];
}

const cursor = (
  quick: (words: Texts) => Partial<QuickState>,
  turns: (words: Texts) => readonly Turn[] = () => [],
  more: Partial<UiState> = {},
): GalleryState => ({
  size: cursorSize,
  view: (language: Language) => {
    const words = inLanguage(texts, language);
    return {
      settings: sampleSettings,
      window: 'cursor' as const,
      quick: {
        ...closedQuick,
        surface: 'ask' as const,
        opened: 1,
        target: words.window,
        canInsert: true,
        ...quick(words),
      },
      chat: { ...initialChatUiState, conversation: conversationOf(turns(words)) },
      ...more,
    };
  },
});

const dictating = (
  state: DictationState,
  text: (words: Texts) => string = () => '',
  wait: ServerWait = 'none',
) =>
  cursor((words) => ({
    surface: 'dictate',
    dictation: { ...idleDictation, state, text: text(words), wait },
  }));

const exchange = (words: Texts, text: string) => [
  question('q', words.ask, [{ type: 'text', text: words.selected }]),
  answer('a', text),
];

const busy = (wait: ServerWait) =>
  cursor(
    () => ({ wait }),
    (words) => [
      question('q', words.ask),
      { ...answer('a', ''), state: { kind: 'failed', error: appError('queueFull') } },
    ],
  );

export const cursorStates: Readonly<Record<string, GalleryState>> = {
  'cursor-offers': cursor((words) => ({ offers: offersOf(words, true), draft: words.ask })),
  'cursor-answer': cursor(
    () => ({}),
    (words) => exchange(words, words.answered),
  ),
  'cursor-long': cursor(
    () => ({ use: { kind: 'copied' } }),
    (words) => exchange(words, `${words.answered}\n\n`.repeat(30)),
  ),
  'cursor-past': {
    size: cursorSize,
    view: (language: Language) => {
      const words = inLanguage(texts, language);
      const past = [{ kind: 'chat', id: 'c', title: words.window, at: 1_790_000_000_000 }] as const;
      const asked = conversationOf([
        { ...question('q', words.ask), past },
        answer('a', words.answered),
      ]);
      return {
        settings: { ...sampleSettings, memory: { ...sampleSettings.memory, past: true } },
        window: 'cursor' as const,
        quick: { ...closedQuick, surface: 'ask' as const, opened: 1, draft: words.ask },
        chat: { ...initialChatUiState, conversation: asked, foundPast: past },
      };
    },
  },
  'cursor-waiting': busy('waiting'),
  'cursor-talk': cursor(
    () => ({}),
    (words) => exchange(words, words.answered),
    { ...live('en'), captions: [] },
  ),
  'cursor-dictating-question': cursor((words) => ({
    offers: offersOf(words, false),
    dictation: { ...idleDictation, state: { kind: 'listening', activation: 'tap' } },
  })),
  'cursor-dictation': dictating({ kind: 'listening', activation: 'hold' }, ({ dictated }) =>
    dictated.slice(0, 30),
  ),
  'cursor-region': { view: () => ({ settings: sampleSettings, window: 'region' as const }) },
  'cursor-dictation-writing': dictating({ kind: 'writing' }, ({ dictated }) => dictated),
  'cursor-dictation-failed': dictating({ kind: 'failed', error: appError('talkHasSound') }),
  'cursor-dictation-copied': dictating(
    { kind: 'copiedInstead', error: appError('cursorTargetGone') },
    ({ dictated }) => dictated,
  ),
};

const miniSize = { width: 420, height: 216 };
const bothWindows = { main: true, mini: true };
const mini = (
  view: (language: Language) => Partial<UiState>,
  more: Partial<GalleryState> = {},
) => ({
  size: miniSize,
  ...more,
  view: (language: Language) => ({
    windows: bothWindows,
    ...view(language),
    window: 'mini' as const,
  }),
});
const liveWith = (part: Partial<UiState>) => (language: Language) => ({
  ...live(language),
  ...part,
});

export const miniStates: Readonly<Record<string, GalleryState>> = {
  'mini-idle': mini(() => ({})),
  'mini-live-parley': mini(live, { heard: 'parley' }),
  'mini-hold': mini(
    liveWith({ floor: 'nobody', controls: { ...idleTalkView.controls, talking: 'hold' } }),
  ),
  'mini-muted': mini(liveWith({ controls: { ...idleTalkView.controls, muted: true } })),
  'mini-ended': mini(() => ({
    talkState: {
      value: {
        phase: 'ended',
        ending: {
          error: sessionError('timeout'),
          by: 'server',
          orderly: true,
        },
        offer: 'continue',
      },
      at: 0,
    },
  })),
  'mini-no-microphone': mini(
    liveWith({
      devices: {
        ...idleTalkView.devices,
        microphone: { kind: 'lost', error: appError('noMicrophone') },
      },
    }),
  ),
  'mini-hostile': mini(liveWith({ captions: hostileTurns })),
};
