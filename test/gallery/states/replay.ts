import type { UiState } from '../../../renderer/app/ui-state.ts';
import { appError, sessionError } from '../../../shared/errors/app-error.ts';
import type { Language } from '../../../shared/i18n/languages.ts';
import {
  emptyScene,
  type OpenReplay,
  type ReplayScene,
} from '../../../shared/recordings/replay-view.ts';
import { emptyUserTranscript, idleTalkView } from '../../../shared/talk/talk-view.ts';
import { type GalleryState, inLanguage } from '../gallery-state.ts';
import { sampleSettings } from '../sample-settings.ts';
import { sampleTimeline, sampleTurns, sampleUserTranscript } from '../sample-talk.ts';

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
  'replay-beginning': {
    view: (language) =>
      opened(language, emptyScene, {
        origin: { kind: 'example', example: 'voice' },
        play: { at: 0, playing: false, speed: 1, sound: 'heard' },
        timeline: sampleTimeline({ seconds: language === 'en' ? 60 : 50, ready: 0.4 }),
      }),
  },
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
  'replay-too-fast': {
    view: (language) =>
      opened(language, scene(language), {
        play: { at: 60_000, playing: true, speed: 8, sound: 'tooFast' },
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
  'replay-cut': {
    view: (language) =>
      opened(language, scene(language), {
        facts: {
          mode: 'audio',
          endpoint: 'wss://example.test',
          recordedAt: '2026-10-03T14:02:11',
          cut: true,
        },
        timeline: end,
        play: { at: end.lengthMs, playing: false, speed: 1, sound: 'heard' },
      }),
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
      return opened(language, scene(language, { ownWords: { ...emptyUserTranscript, phrases } }));
    },
  },
  'replay-talk-goes-on': {
    view: (language) => ({
      ...opened(language, scene(language), {
        play: { at: 92_000, playing: false, speed: 1, sound: 'heard' },
      }),
      talkState: { value: { phase: 'live' }, at: 0 },
    }),
  },
  'replay-opening': {
    view: () => ({ screen: 'replay', replay: { kind: 'opening', origin: tape } }),
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
