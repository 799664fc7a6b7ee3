import { appError } from '../../shared/errors/app-error.ts';
import type { Language } from '../../shared/i18n/languages.ts';
import type { TapeMark, TapeTimeline, TapeTurn } from '../../shared/recordings/replay-view.ts';
import type { CaptionedTurn, UserPhrase, UserTranscript } from '../../shared/talk/talk-view.ts';
import { inLanguage } from './gallery-state.ts';
import type {
  AssistantTurn,
  ChatSummary,
  ChatThread,
  Turn,
  UserTurn,
} from '../../shared/chat/chat-thread.ts';

const talkTexts = {
  en: {
    first: 'Hello. I can hear you well, and I am glad that you are here.',
    cut: 'Let me tell you about the history of the lighthouse, which begins in the year eighteen hundred and',
    live: 'Of course. The light turns once in ten seconds, and on a clear night you can see it from twenty miles away.',
    heard: 'Of course. The light turns once in ten seconds, and on a clear',
    cutAt: 'Let me tell you about the history of the lighthouse,',
  },
  zh: {
    first: '你好。我听得很清楚，很高兴你来了。',
    cut: '让我给你讲讲这座灯塔的历史，它始建于一千八百',
    live: '当然可以。灯每十秒转一圈，天气晴朗的夜晚，你在二十英里外都能看见它。',
    heard: '当然可以。灯每十秒转一圈，天气晴',
    cutAt: '让我给你讲讲这座灯塔的历史，',
  },
} as const;

/** Three turns: heard, cut off, and being heard. */
export function sampleTurns(language: Language): readonly CaptionedTurn[] {
  const { first, cut, live, heard, cutAt } = inLanguage<Record<keyof typeof talkTexts.en, string>>(
    talkTexts,
    language,
  );
  return [
    settled(1, first, first.length),
    settled(2, cut, cutAt.length, cutAt.length),
    { turn: 3, text: live, heard: heard.length, cutFrom: undefined, settled: false },
  ];
}

function settled(turn: number, text: string, heard = text.length, cutFrom?: number): CaptionedTurn {
  return { turn, text, heard, cutFrom, settled: true };
}

/** Texts that try to break the screen. */
export const hostileTurns: readonly CaptionedTurn[] = [
  settled(1, '<script>alert(1)</script> <img src=x onerror="alert(2)"> **not bold**'),
  settled(2, 'مرحبا، كيف يمكنني مساعدتك اليوم؟ 👩‍👩‍👧‍👦 🏳️‍🌈'),
  settled(3, `Z̷̢̛a̴l̶g̵o̸ ${'Donaudampfschifffahrtsgesellschaft'.repeat(6)}`),
];

const words = {
  en: ['What does a lighthouse keeper do all day?', 'And how far can one see the light?'],
  zh: ['灯塔看守人整天做些什么？', '灯光能照多远？'],
} as const;

/** The user's phrases in every state. */
export function sampleUserTranscript(language: Language): UserTranscript {
  const [asked = '', corrected = ''] = inLanguage<readonly string[]>(words, language);
  const last = sampleTurns(language).at(-1)?.turn ?? 0;
  const phrase = { seconds: 3, text: '', transcribed: 'byMachine', after: last } as const;
  const phrases: readonly UserPhrase[] = [
    { ...phrase, at: 1000, after: undefined, state: 'written', text: asked },
    {
      ...phrase,
      at: 9000,
      after: last - 1,
      state: 'written',
      text: corrected,
      transcribed: 'corrected',
    },
    { ...phrase, at: 15_000, after: last - 1, state: 'written' },
    { ...phrase, at: 21_000, state: 'unwritten' },
    { ...phrase, at: 24_000, state: 'writing' },
    { ...phrase, at: 28_000, state: 'waiting' },
  ];
  return { status: { kind: 'queued', position: 2, demonstration: false }, phrases };
}

const everyMs = 50;

interface Options {
  readonly seconds: number;
  /** The rendered share, from 0 to 1. */
  readonly ready?: number;
  readonly pictures?: boolean;
}

/** A talk with turns of ten seconds and marks of every kind. */
export function sampleTimeline({ seconds, ready = 1, pictures = false }: Options): TapeTimeline {
  const lengthMs = seconds * 1000;
  const points = lengthMs / everyMs;
  const voice = (speaker: 0 | 1) =>
    Uint8Array.from({ length: points }, (_, point) => {
      const at = (point * everyMs) / 1000;
      if (Math.floor(at / 10) % 2 !== speaker || at % 10 > 8.5) return 8;
      const syllable = 0.5 + 0.5 * Math.sin(point * 0.9 + speaker);
      const phrase = 0.6 + 0.4 * Math.sin(point * 0.07 + 2 * speaker);
      return Math.round(70 + 150 * syllable * phrase);
    });
  const turns: TapeTurn[] = [];
  const marks: TapeMark[] = [];
  for (let from = 10_000, turn = 1; from < lengthMs; from += 20_000, turn += 1) {
    const cut = turn % 3 === 2;
    const to = Math.min(lengthMs, from + (cut ? 5000 : 8500));
    turns.push({ turn, from, to, cut });
    if (cut) marks.push({ at: to, kind: 'interruption' });
  }
  if (pictures)
    for (let at = 1000, picture = 0; at < lengthMs; at += 3000, picture += 1)
      marks.push({ at, kind: 'picture', picture });
  marks.push(
    { at: lengthMs * 0.4, kind: 'trouble', error: appError('sessionCut') },
    { at: lengthMs * 0.44, kind: 'reconnect' },
    { at: lengthMs * 0.7, kind: 'device', error: appError('noMicrophone') },
    { at: lengthMs, kind: 'ending' },
  );
  marks.sort((one, other) => one.at - other.at);
  return {
    lengthMs,
    readyMs: lengthMs * ready,
    turns,
    marks,
    ribbon: { everyMs, you: voice(0), parley: voice(1) },
  };
}

/** An arbitrary morning. */
const at = 1_760_000_000_000;

export const question = (id: string, text: string, more: UserTurn['parts'] = []): UserTurn => ({
  role: 'user',
  id,
  at,
  parts: [...more, { type: 'text', text }],
});

export const answer = (id: string, text: string): AssistantTurn => ({
  role: 'assistant',
  id,
  at,
  text,
  state: { kind: 'done', cutShort: false },
  speechSeconds: 12,
  stats: { firstMs: 420, totalMs: 3400, contextTokens: 812 },
});

export const conversationOf = (turns: readonly Turn[], title = ''): ChatThread => ({
  id: 'sample',
  title,
  createdAt: at,
  updatedAt: at,
  pinned: false,
  turns,
  branches: [],
});

const texts = {
  en: {
    title: 'The lighthouse',
    look: 'What do you see here, and how far does such a light reach?',
    seen: `A still life: a brown box, a **tall green one** and an ochre one on a table.

If the tall one were a lighthouse, its reach would follow from the height of the lamp:

| Height | Reach |
| --- | ---: |
| 20 m | 9 miles |
| 40 m | 13 miles |

The rule is simple enough to compute:

\`\`\`python
def reach(height: float) -> float:
    """Nautical miles to the horizon."""
    return 2.08 * height ** 0.5
\`\`\`

See [the list of lights](https://lights.example/list) for real ones.`,
    day: 'And how did a keeper spend the day?',
    life: `Mostly with small, regular things:

1. Trim the wick and polish the lens.
2. Wind the clockwork **every four hours**, also at night.
3. Write down the weather, and every ship that passes.

> The light must not go out; everything else can wait.`,
    list: ['The lighthouse', 'Dinner for six', 'Verbs of motion', 'A letter to the landlord'],
  },
  zh: {
    title: '灯塔',
    look: '你看到了什么？这样的灯能照多远？',
    seen: `一幅静物：桌上有一个棕色盒子、一个**高高的绿色盒子**和一个赭色盒子。

如果高的那个是灯塔，照多远取决于灯的高度：

| 高度 | 距离 |
| --- | ---: |
| 20 米 | 9 海里 |
| 40 米 | 13 海里 |

规则很简单，可以直接算：

\`\`\`python
def reach(height: float) -> float:
    """到地平线的海里数。"""
    return 2.08 * height ** 0.5
\`\`\`

真实的灯塔见[灯塔名录](https://lights.example/list)。`,
    day: '灯塔看守人一天是怎么过的？',
    life: `大多是些细小而有规律的事：

1. 修剪灯芯，擦亮透镜。
2. **每四小时**上一次发条，夜里也不例外。
3. 记下天气和每一艘经过的船。

> 灯不能灭，其他都可以等。`,
    list: ['灯塔', '六个人的晚餐', '表示移动的动词', '给房东的信'],
  },
} as const;

type SampleTexts = Readonly<Record<Exclude<keyof typeof texts.en, 'list'>, string>> & {
  readonly list: readonly string[];
};

/** A question with a picture and its answer, then another pair with two versions. */
export function sampleChat(language: Language): ChatThread {
  const { title, look, seen, day, life } = inLanguage<SampleTexts>(texts, language);
  const turns = [
    question('q1', look, [{ type: 'image', media: 'painted' }]),
    answer('a1', seen),
    question('q2', day),
    answer('a2', life),
  ];
  const older = { id: 'b1', after: 'q2', turns: [{ ...answer('a3', life), at: at - 1 }] };
  return { ...conversationOf(turns, title), branches: [older] };
}

export function sampleList(language: Language): readonly ChatSummary[] {
  return inLanguage<SampleTexts>(texts, language).list.map((title, index) => ({
    id: index === 0 ? 'sample' : `other${index}`,
    title,
    updatedAt: at - index * 100_000_000,
    pinned: index === 1,
  }));
}

/** Texts that try to break the screen. */
export function hostileChat(): ChatThread {
  return conversationOf(
    [
      question('q1', '<script>alert(1)</script> <b>bold?</b> مرحبا 👩‍👩‍👧‍👦'),
      answer(
        'a1',
        `<script>alert(1)</script><img src=x onerror="alert(2)">

[a bank](javascript:alert(3)) and ![a picture](https://tracker.example/p.png)

مرحبا، كيف يمكنني مساعدتك اليوم؟ **نص عريض** 👩‍👩‍👧‍👦 🏳️‍🌈

Z̷̢̛a̴l̶g̵o̸ ${'Donaudampfschifffahrtsgesellschaft'.repeat(6)}

\`\`\`
${'no spaces in this line of code '.replaceAll(' ', '_').repeat(12)}
\`\`\`

${'| a | b | c | d | e | f | g | h |\n'.replaceAll(/[a-h]/g, 'wide column')}${'| --- '.repeat(8)}|`,
      ),
    ],
    `${'Donaudampfschifffahrtsgesellschaft'.repeat(4)} <i>x</i>`,
  );
}
