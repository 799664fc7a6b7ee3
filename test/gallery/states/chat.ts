import {
  type ChatUiState,
  type Draft,
  emptyDraft,
  initialChatUiState,
} from '../../../renderer/chat/chat-ui-state.ts';
import type {
  ChatAnswerState,
  ChatSearchHit,
  ChatSummary,
  Turn,
} from '../../../shared/chat/chat-thread.ts';
import { appError, sessionError } from '../../../shared/errors/app-error.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import { redactSettings, defaultSettings } from '../../../shared/settings/settings.ts';
import { type GalleryState, inLanguage } from '../gallery-state.ts';
import {
  answer,
  conversationOf,
  hostileChat,
  question,
  sampleChat,
  sampleList,
} from '../sample-chat.ts';

const settings = redactSettings({
  ...defaultSettings,
  privacy: { ...defaultSettings.privacy, keepChats: true },
});
const shown = (chat: (language: Language) => Partial<ChatUiState>): GalleryState['view'] => {
  return (language) => ({
    screen: 'chat',
    settings,
    chat: { ...initialChatUiState, list: sampleList(language), ...chat(language) },
  });
};
const withChat = (part: Partial<ChatUiState> = {}): GalleryState['view'] =>
  shown((language) => ({ conversation: sampleChat(language), ...part }));
const answered = (state: ChatAnswerState, text = ''): GalleryState['view'] =>
  shown((language) => {
    const [asked] = sampleChat(language).turns;
    if (asked === undefined) throw new Error('The sample has a question.');
    return { conversation: conversationOf([asked, { ...answer('t1', text), state }]) };
  });
const draft = (part: Partial<Draft>): Partial<ChatUiState> => ({
  drafts: { sample: { ...emptyDraft, ...part } },
});
const again = (turn: Turn, round: number): Turn => ({ ...turn, id: `${turn.id}${round}` });
const foundIn = (head: ChatSummary, language: Language): ChatSearchHit => ({
  ...head,
  excerpt: inLanguage(
    { en: '…the lighthouse turns once in ten seconds…', zh: '…灯塔的光每十秒转一圈…' },
    language,
  ),
});
/** 400 turns, optionally scrolled to a search hit. */
const longChat = (part: Partial<ChatUiState> = {}): GalleryState['view'] =>
  shown((language) => {
    const { turns } = sampleChat(language);
    const rounds = Array.from({ length: 100 }, (_, round) => round);
    return {
      conversation: conversationOf(
        rounds.flatMap((round) => turns.map((turn) => again(turn, round))),
      ),
      ...part,
    };
  });
export const chatStates: Readonly<Record<string, GalleryState>> = {
  'chat-opening': { view: () => ({ screen: 'chat' }) },
  'chat-empty': { view: shown(() => ({ conversation: conversationOf([]), list: [] })) },
  'chat-full': { view: withChat() },
  'chat-waiting': { view: answered({ kind: 'streaming' }) },
  'chat-queued': {
    view: shown((language) => ({
      conversation: conversationOf([
        ...sampleChat(language).turns.slice(0, 1),
        { ...answer('t1', ''), state: { kind: 'streaming' } },
      ]),
      connection: { phase: 'queued', position: 3, length: 7, etaSeconds: 95 },
    })),
  },
  'chat-streaming': {
    view: answered({ kind: 'streaming' }, 'A lighthouse keeper trims the wick, winds the'),
  },
  'chat-stopped': { view: answered({ kind: 'stopped' }, 'A lighthouse keeper trims the') },
  'chat-failed': {
    view: answered({
      kind: 'failed',
      error: sessionError('stalled', 'worker 3 is gone'),
    }),
  },
  'chat-cut-short': {
    view: answered({ kind: 'done', cutShort: true }, 'A lighthouse keeper trims'),
  },
  'chat-speaking': { view: withChat({ speaking: { turn: 'a2', heard: 90 } }) },
  'chat-draft': {
    view: withChat(
      draft({
        text: 'And this one?',
        attached: [
          { name: 'still-life.jpg', part: { type: 'image', media: 'painted1' } },
          {
            name: 'moving.webp',
            part: { type: 'image', media: 'painted2' },
            notice: appError('pictureMoves'),
          },
          { name: 'Recording', part: { type: 'audio', media: 'clip', seconds: 7 } },
        ],
        reading: 1,
        sendWhenRead: false,
      }),
    ),
  },
  'chat-recording': { view: withChat({ clip: 'recording' }) },
  'chat-recording-full': { view: withChat({ clip: 'full' }) },
  'chat-editing': {
    view: shown((language) => ({
      conversation: sampleChat(language),
      edits: {
        q2: inLanguage(
          { en: 'How does a keeper spend the day?', zh: '灯塔看守人一天怎么过？' },
          language,
        ),
      },
    })),
  },
  'chat-notes': {
    view: withChat({
      notes: [
        { kind: 'pictureTooLarge', name: 'holiday.tiff', size: 2148, limit: 50 },
        {
          kind: 'failure',
          error: appError('pictureLarge', { width: 10_000, height: 10_000 }),
          name: 'wide.jpg',
        },
        { kind: 'clipStopped' },
      ],
    }),
  },
  'chat-forgotten': {
    view: withChat({
      sent: { from: 'q2', leftOut: 2, shortened: { characters: 200_000, first: 8120, last: 4060 } },
    }),
  },
  'chat-found': {
    view: shown((language) => ({
      conversation: sampleChat(language),
      search: {
        query: inLanguage({ en: 'lighthouse', zh: '灯塔' }, language),
        hits: sampleList(language)
          .slice(0, 2)
          .map((head) => foundIn(head, language)),
      },
    })),
  },
  'chat-not-found': {
    view: withChat({ search: { query: 'zeppelin', hits: [] } }),
  },
  'chat-not-kept': {
    view: (language) => ({
      ...withChat()(language),
      settings: { ...settings, privacy: { ...settings.privacy, keepChats: false } },
    }),
  },
  'chat-hostile': { view: shown(() => ({ conversation: hostileChat() })) },
  'chat-long': { view: longChat() },
  'chat-wanted': { view: longChat({ targetTurn: 'q150' }) },
  'chat-pasted': {
    view: shown(() => ({
      conversation: conversationOf([
        question('q1', 'All work and no play. '.repeat(9091)),
        answer('a1', 'That is a long text.'),
      ]),
    })),
  },
  'chat-options': { view: withChat(), click: '.chat-head > .icon-button:last-child' },
  'chat-removed': { view: withChat(), click: '.answer .turn-tools > .icon-button:nth-of-type(4)' },
  'chat-picture': { view: withChat(), click: '.picture' },
  'chat-list': { view: withChat(), click: '.chat-head > .icon-button:first-child' },
};
