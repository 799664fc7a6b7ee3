import type { HistoryEntry } from '../../renderer/history/history-ui-state.ts';
import { sessionError } from '../../shared/errors/app-error.ts';
import type { Language } from '../../shared/i18n/languages.ts';
import type { HistoryItem, HistorySize, TalkItem } from '../../shared/recordings/history-item.ts';
import type { OpenedTalkRecord, TalkRecord } from '../../shared/recordings/talk-record.ts';
import type {
  ComparableTape,
  ComparedTapes,
  MeasuredAnswer,
  TalkMeasures,
} from '../../shared/recordings/tape-comparison.ts';
import { inLanguage } from './gallery-state.ts';

const day = 86_400_000;
/** Today at 10:15, because the list groups by day. */
const today = new Date().setHours(10, 15, 0, 0);

const talk = (id: string, part: Partial<TalkItem>): TalkItem => ({
  kind: 'talk',
  id,
  title: '',
  firstWords: '',
  at: today,
  pinned: false,
  pictures: 0,
  mode: 'audio',
  seconds: 252,
  server: 'Demonstration',
  ending: 'orderly',
  tape: false,
  ...part,
});

export function sampleHistory(language: Language): readonly HistoryItem[] {
  const [light, keeper, market, verbs] = inLanguage(
    {
      en: [
        'How far a lighthouse can be seen',
        'A keeper trims the wick, winds the clockwork and writes down the weather, every night of the year',
        'Vegetables for the market stall',
        'Verbs of motion',
      ],
      zh: [
        '灯塔能照多远',
        '看守人修剪灯芯，给发条上紧，再记下天气，一年到头每个夜晚都是如此，从来不曾间断',
        '集市摊位上的蔬菜',
        '表示移动的动词',
      ],
    },
    language,
  );
  return [
    talk('now', { firstWords: keeper, at: today + 3_600_000, ending: 'running', seconds: 48 }),
    talk('light', { title: light, pinned: true, tape: true, mode: 'video', pictures: 3 }),
    {
      kind: 'chat',
      id: 'verbs',
      title: verbs,
      firstWords: '',
      at: today - 7_200_000,
      pinned: false,
      pictures: 0,
    },
    talk('market', { firstWords: market, at: today - day, ending: 'cut', seconds: 1874 }),
    talk('silent', { at: today - day - 4_000_000, seconds: 9 }),
    talk('keeper', {
      firstWords: keeper,
      at: today - 9 * day,
      ending: 'trouble',
      seconds: 4300,
      tape: true,
    }),
    ...Array.from({ length: 40 }, (_, index) =>
      talk(`old${index}`, {
        firstWords: light,
        at: today - (30 + 11 * index) * day,
        seconds: 60 * index,
      }),
    ),
  ];
}

export function sampleHits(language: Language): readonly HistoryEntry[] {
  const excerpt = inLanguage(
    {
      en: '…so the lighthouse turns once in ten seconds, and a keeper of the lighthouse counts along…',
      zh: '……灯塔的光每十秒转一圈，灯塔看守人跟着数……',
    },
    language,
  );
  const word = inLanguage({ en: 'lighthouse', zh: '灯塔' }, language);
  const marks = [...excerpt.matchAll(new RegExp(word, 'gu'))].map(({ index }) => ({
    from: index,
    to: index + word.length,
  }));
  return sampleHistory(language)
    .slice(1, 4)
    .map((item) => ({ item, place: { excerpt, marks, turn: 2 } }));
}

export const sampleSizes: readonly HistorySize[] = [
  { kind: 'talk', place: '/home/someone/parley/talks', count: 45, bytes: 12_400_000 },
  { kind: 'chat', place: '/home/someone/parley/chats', count: 1, bytes: 18_000 },
  { kind: 'tape', place: '/home/someone/parley/tapes', count: 2, bytes: 184_000_000 },
];

const words = {
  en: {
    asked: 'How far can one see such a light?',
    reach:
      'That depends on how high the lamp stands. From forty metres it is about thirteen nautical miles.',
    cut: 'And if the air is clear, a keeper may even see the next one, whose light comes every ten seconds.',
    seen: 'I see a brown box, a tall green one and an ochre one on a table.',
  },
  zh: {
    asked: '这样的灯光能看到多远？',
    reach: '要看灯有多高。四十米高的话，大约是十三海里。',
    cut: '如果空气清澈，看守人甚至能看见下一座灯塔，它每十秒闪一次。',
    seen: '我看到桌上有一个棕色的盒子、一个高高的绿色盒子，还有一个赭色的。',
  },
} as const;

export function sampleRecord(language: Language, part: Partial<TalkRecord> = {}): TalkRecord {
  const { asked, reach, cut, seen } = inLanguage<(typeof words)['en'] | (typeof words)['zh']>(
    words,
    language,
  );
  const cutFrom = Math.floor(cut.length * 0.6);
  const ending = { error: sessionError('user_stop'), by: 'client', orderly: true } as const;
  return {
    title: '',
    pinned: true,
    mode: 'video',
    server: { name: 'Workstation', address: 'wss://workstation.local:8006/v1' },
    begunAt: today,
    savedAt: today + 252_000,
    ending,
    turns: [
      { by: 'person', at: 3000, text: asked, heard: asked.length, transcribed: 'byMachine' },
      { by: 'parley', at: 6200, text: reach, heard: reach.length },
      { by: 'parley', at: 19_400, text: cut, heard: cutFrom, cutFrom },
      { by: 'parley', at: 64_000, text: seen, heard: seen.length },
    ],
    events: [
      { at: 0, kind: 'began' },
      { at: 24_000, kind: 'interrupted', turn: 2 },
      { at: 40_000, kind: 'reconnecting', error: sessionError('stalled') },
      { at: 44_000, kind: 'reconnected' },
      { at: 51_000, kind: 'deviceLost', role: 'microphone' },
      { at: 58_000, kind: 'deviceBack', role: 'microphone' },
      { at: 252_000, kind: 'ended', ending },
    ],
    pictures: [{ at: 62_000, file: 'picture-1.jpg', width: 640, height: 480 }],
    ...part,
  };
}

export function sampleTalk(
  language: Language,
  part: Partial<OpenedTalkRecord> = {},
): OpenedTalkRecord {
  return {
    id: 'light',
    record: sampleRecord(language),
    isRunning: false,
    tape: true,
    bytes: 204_000,
    ...part,
  };
}

export const sampleTapes: readonly ComparableTape[] = [
  {
    tape: 'evening',
    mode: 'video',
    server: 'wss://minicpm.example:8006/',
    recordedAt: '2026-03-14T19:26:00.000Z',
  },
  {
    tape: 'morning',
    mode: 'audio',
    server: 'embedded',
    recordedAt: '2026-03-12T08:05:00.000Z',
  },
];

/** Three questions to two servers: the same answer, another one, and none. */
export function sampleComparison(language: Language): ComparedTapes {
  const texts = inLanguage(
    {
      en: [
        'It blinks so that ships can tell it from any other light on the shore.',
        'Each one has its own rhythm, which the charts show.',
        'Every lighthouse has its own rhythm, and sailors find it in a book of lights.',
        'Yes, but today most of them are switched on by themselves.',
      ],
      zh: [
        '它一闪一闪，船只才能把它和岸上的其他灯光区分开来。',
        '每座灯塔都有自己的节奏，海图上有记载。',
        '每一座灯塔的节奏都不同，水手可以在灯标表里查到。',
        '是的，不过今天大多数灯塔都是自动点亮的。',
      ],
    },
    language,
  );
  const [blinks = '', rhythm = '', book = '', themselves = ''] = texts;
  const answer = (text: string, until: number, latencyMs: number, cut = false): MeasuredAnswer => ({
    at: until + latencyMs,
    text,
    spokeUntil: until,
    latencyMs,
    cut,
  });
  const [first, second, third] = [
    answer(blinks, 4200, 640),
    answer(rhythm, 15_800, 720),
    answer(themselves, 31_000, 810),
  ];
  const one: TalkMeasures = {
    mode: 'video',
    server: 'embedded',
    recordedAt: '2026-03-14T09:26:00.000Z',
    lengthMs: 48_000,
    answers: [first, second, third],
    latencyMs: { p50: 720, p95: 810 },
    interruptions: 0,
    reconnects: 0,
    troubles: [],
    limits: [],
    ending: 'endedByPerson',
  };
  const [again, later] = [answer(blinks, 4350, 700), answer(book, 15_950, 1840, true)];
  const other: TalkMeasures = {
    ...one,
    server: 'wss://minicpm.example:8006/',
    recordedAt: '2026-03-14T19:26:00.000Z',
    lengthMs: 51_000,
    answers: [again, later],
    latencyMs: { p50: 700, p95: 1840 },
    interruptions: 1,
    troubles: ['serverBusy'],
    limits: ['time'],
  };
  const answers = [
    { one: first, other: again, sameWords: 1 },
    { one: second, other: later, sameWords: 0.42 },
    { one: third, other: undefined, sameWords: 0 },
  ];
  return {
    comparison: {
      one,
      other,
      answers,
      sameWords: 0.53,
      latencyRatio: 2.27,
    },
    differs: ['latency', 'answers', 'troubles'],
    incomplete: true,
  };
}
