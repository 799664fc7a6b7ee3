import { appError } from '../../shared/errors/app-error.ts';
import type { Language } from '../../shared/i18n/languages.ts';
import type { TapeMark, TapeTimeline, TapeTurn } from '../../shared/recordings/replay-view.ts';
import type { CaptionedTurn, UserPhrase, UserTranscript } from '../../shared/talk/talk-view.ts';
import { inLanguage } from './gallery-state.ts';

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
