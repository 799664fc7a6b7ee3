import type { CaptionedTurn } from '../../shared/talk/captions.ts';
import type { Language } from '../../shared/i18n/languages.ts';
import { inLanguage } from './in-language.ts';

const texts = {
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
  const { first, cut, live, heard, cutAt } = inLanguage<Record<keyof typeof texts.en, string>>(
    texts,
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
