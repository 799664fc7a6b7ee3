import type {
  AssistantTurn,
  ChatSummary,
  ChatThread,
  Turn,
  UserTurn,
} from '../../shared/chat/chat-thread.ts';
import type { Language } from '../../shared/i18n/languages.ts';
import { inLanguage } from './gallery-state.ts';

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
