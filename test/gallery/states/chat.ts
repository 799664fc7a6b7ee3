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
  sampleTimeline,
  sampleTurns,
  sampleUserTranscript,
} from '../sample-talk.ts';
import type { UiState } from '../../../renderer/app/ui-state.ts';
import {
  emptyScene,
  type OpenReplay,
  type ReplayScene,
} from '../../../shared/recordings/replay-view.ts';
import { emptyUserTranscript, idleTalkView } from '../../../shared/talk/talk-view.ts';
import { sampleSettings } from '../sample-settings.ts';

const settings = redactSettings({
  ...defaultSettings,
  privacy: { ...defaultSettings.privacy, keepChats: true },
});
const shown = (chat: (language: Language) => Partial<ChatUiState>): GalleryState['view'] => {
  return (language) => ({
    screen: 'chat',
    settings,
    chat: { ...initialChatUiState, isRead: true, list: sampleList(language), ...chat(language) },
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
  'chat-failed': {
    view: answered({
      kind: 'failed',
      error: sessionError('stalled', 'worker 3 is gone'),
    }),
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

const facts = { mode: 'audio', endpoint: 'Demonstration' } as const;

function scene(language: Language, part: Partial<ReplayScene['talk']> = {}): ReplayScene {
  return {
    ...emptyScene,
    talk: {
      ...idleTalkView,
      state: { phase: 'live' },
      talk: facts,
      limits: { seconds: 424, tokens: 6120, tokenSeconds: 480, pruning: false },
      floor: 'parley',
      captions: sampleTurns(language),
      ...part,
    },
  };
}

const tape = { kind: 'tape', tape: '2026-10-03T14-02-11' } as const;

function opened(
  language: Language,
  shown: ReplayScene,
  part: Partial<OpenReplay> = {},
): Partial<UiState> {
  return {
    settings: sampleSettings,
    screen: 'replay',
    replay: {
      kind: 'open',
      origin: tape,
      facts: {
        ...facts,
        endpoint: 'parley:demonstration',
        recordedAt: '2026-10-03T14:02:11',
        title: inLanguage(
          { en: 'How far can one see such a light?', zh: '这样的灯光能看多远？' },
          language,
        ),
        cut: false,
      },
      timeline: sampleTimeline({ seconds: 240 }),
      play: { at: 92_000, playing: true, speed: 1, sound: 'heard' },
      scene: shown,
      ...part,
    },
  };
}

const pictures = sampleTimeline({ seconds: 120, pictures: true });
const end = sampleTimeline({ seconds: 34 });

export const replayStates: Readonly<Record<string, GalleryState>> = {
  'replay-playing': { view: (language) => opened(language, scene(language)), heard: 'parley' },
  'replay-pictures': {
    view: (language) =>
      opened(
        language,
        { ...scene(language, { talk: { ...facts, mode: 'video' } }), picture: 4 },
        { timeline: pictures, play: { at: 41_000, playing: false, speed: 1.5, sound: 'heard' } },
      ),
  },
  // The maximum length of a voice session.
  'replay-ten-minutes': {
    view: (language) =>
      opened(language, scene(language), {
        timeline: sampleTimeline({ seconds: 600, pictures: true }),
        play: { at: 92_000, playing: true, speed: 1, sound: 'heard' },
      }),
  },
  'replay-trouble': {
    view: (language) =>
      opened(
        language,
        {
          ...scene(language, {
            state: {
              phase: 'reconnecting',
              attempt: 2,
              inMs: 4000,
              error: appError('sessionCut'),
            },
          }),
          troubles: [appError('sessionCut')],
        },
        { play: { at: 97_000, playing: false, speed: 1, sound: 'noDevice' } },
      ),
  },
  'replay-end': {
    view: (language) =>
      opened(
        language,
        scene(language, {
          state: {
            phase: 'ended',
            ending: { error: sessionError('timeout'), by: 'server', orderly: true },
            offer: 'continue',
          },
        }),
        {
          timeline: end,
          play: { at: end.lengthMs, playing: false, speed: 1, sound: 'heard' },
        },
      ),
  },
  'replay-stretch': {
    view: (language) =>
      opened(language, scene(language), {
        facts: {
          mode: 'audio',
          endpoint: 'wss://example.test',
          recordedAt: '2026-10-03T14:02:11',
          cut: true,
          damage: appError('tapeIsStretch'),
        },
        timeline: end,
        play: { at: end.lengthMs / 2, playing: true, speed: 1, sound: 'heard' },
      }),
  },
  'replay-own-words': {
    view: (language) => {
      const phrases = sampleUserTranscript(language).phrases.filter(
        ({ state }) => state === 'written',
      );
      return opened(
        language,
        scene(language, { userTranscript: { ...emptyUserTranscript, phrases } }),
      );
    },
  },
  'replay-failed': {
    view: () => ({
      screen: 'replay',
      replay: {
        kind: 'failed',
        origin: { kind: 'file', name: 'talk.parleytape' },
        error: appError('tapeVersion', { version: '99' }),
      },
    }),
  },
};
