import type { Language } from '../../shared/i18n/languages.ts';
import type { UserPhrase, UserTranscript } from '../../shared/talk/captions.ts';
import { inLanguage } from './in-language.ts';
import { sampleTurns } from './sample-captions.ts';

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
