import type { Language } from '../../shared/i18n/languages.ts';
import type {
  ComparableTape,
  ComparedTapes,
  MeasuredAnswer,
  TalkMeasures,
} from '../../shared/recordings/tape-comparison.ts';
import { inLanguage } from './gallery-state.ts';

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
export function sampleComparison(language: Language, alike = false): ComparedTapes {
  const texts = inLanguage(
    {
      en: [
        'It blinks so that ships can tell it from any other light on the shore.',
        'Each one has a rhythm of its own, which stands on the charts.',
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
  const other: TalkMeasures = alike
    ? { ...one, server: 'wss://minicpm.example:8006/' }
    : {
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
    { one: first, other: alike ? first : again, sameWords: 1 },
    { one: second, other: alike ? second : later, sameWords: alike ? 1 : 0.42 },
    { one: third, other: alike ? third : undefined, sameWords: alike ? 1 : 0 },
  ];
  return {
    comparison: {
      one,
      other,
      answers,
      sameWords: alike ? 1 : 0.53,
      latencyRatio: alike ? 1 : 2.27,
    },
    differs: alike ? [] : ['latency', 'answers', 'troubles'],
  };
}
