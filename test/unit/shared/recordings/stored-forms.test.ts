import { describe, expect, it } from 'vitest';
import {
  chatSettingsSchema,
  chatThreadSchema,
  partSchema,
} from '../../../../shared/chat/chat-thread-schema.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import {
  exportFormats,
  hasVoices,
  isTextExport,
  takesFfmpeg,
} from '../../../../shared/recordings/export-format.ts';
import { recordTitle } from '../../../../shared/recordings/history-item.ts';
import {
  emptyScene,
  type ReplayedNotice,
  sceneAfter,
} from '../../../../shared/recordings/replay-view.ts';
import { readTapeEvent } from '../../../../shared/recordings/tape-event.ts';
import { chatSettings } from '../../../../shared/settings/assistant-settings.ts';

describe('a tape event', () => {
  it.each([
    ['a kind of a later version', { kind: 'smelled', samples: 1 }],
    ['a negative sample count', { kind: 'heard', turn: 1, samples: -5 }],
    ['half a sample', { kind: 'heard', turn: 1, samples: 0.5 }],
    ['incomplete controls', { kind: 'controls', controls: { talking: 'open' } }],
    [
      'an unknown error code',
      {
        kind: 'devices',
        devices: {
          microphone: { kind: 'lost', error: { code: 'toString', facts: {} } },
          speaker: { kind: 'unknown' },
        },
      },
    ],
    [
      'an overlong device name',
      {
        kind: 'devices',
        devices: {
          microphone: { kind: 'using', device: 'x'.repeat(10_000) },
          speaker: { kind: 'unknown' },
        },
      },
    ],
    ['a list', []],
    ['nothing', null],
  ])('is skipped: %s', (_what, event) => {
    expect(readTapeEvent(event)).toBeUndefined();
  });

  it('loses the fields of a newer version', () => {
    expect(readTapeEvent({ kind: 'interrupt', why: 'rude' })).toEqual({ kind: 'interrupt' });
  });
});

/** The defaults, with the server's voice. */
const ownVoice = { ...chatSettings.initial, voice: 'none' };

const accepts = (check: typeof partSchema | typeof chatSettingsSchema, value: unknown): boolean =>
  check.safeParse(value).success;

describe('a chat request', () => {
  it('contains text, picture ids and sound ids only', () => {
    expect(accepts(partSchema, { type: 'text', text: 'Hello' })).toBe(true);
    expect(accepts(partSchema, { type: 'image', media: 'a0v' })).toBe(true);
    expect(accepts(partSchema, { type: 'audio', media: 'a0v', seconds: 2 })).toBe(true);
    for (const wrong of [
      { type: 'text', text: 'x'.repeat(1_000_001) },
      { type: 'text', text: 'x', more: 1 },
      { type: 'image', media: '../../etc' },
      { type: 'image', media: '' },
      { type: 'audio', media: 'a', seconds: Number.NaN },
      { type: 'file', path: '/etc/passwd' },
      undefined,
    ]) {
      expect(accepts(partSchema, wrong)).toBe(false);
    }
  });

  it('contains all chat settings, each valid', () => {
    const all = { system: 'x', voice: 'v', maxNewTokens: 8192, lengthPenalty: 5, maxSlices: 9 };
    expect(accepts(chatSettingsSchema, ownVoice)).toBe(true);
    expect(accepts(chatSettingsSchema, { ...ownVoice, ...all })).toBe(true);
    expect(accepts(chatSettingsSchema, { streaming: true })).toBe(false);
    // A chat may store a longer text than the settings accept.
    expect(accepts(chatSettingsSchema, { ...ownVoice, system: 'x'.repeat(60_000) })).toBe(true);
    for (const wrong of [
      { maxNewTokens: 0 },
      { maxNewTokens: 1.5 },
      { lengthPenalty: Number.POSITIVE_INFINITY },
      { maxSlices: 10 },
      { temperature: 0.7 },
      { streaming: 'yes' },
      { system: 7 },
      { speech: undefined },
    ]) {
      expect(accepts(chatSettingsSchema, { ...ownVoice, ...wrong })).toBe(false);
    }
  });
});

describe('a stored failed answer', () => {
  const readState = (more: object) => {
    const turn = { role: 'assistant', id: 'a', at: 1, text: '', speechSeconds: 0 };
    const state = { kind: 'failed', ...more };
    const times = { createdAt: 1, updatedAt: 1, pinned: false };
    const thread = { id: 'c', title: '', ...times, turns: [{ ...turn, state }], branches: [] };
    const [read] = chatThreadSchema.parse(thread).turns;
    return read?.role === 'assistant' && read.state;
  };

  it('keeps its error', () => {
    const error = appError('answerFailed', { code: 'inference_error' }, { detail: 'no memory' });
    expect(readState({ error })).toEqual({ kind: 'failed', error });
  });

  it('keeps the error sentence that an older version stored', () => {
    const facts = { reason: 'inference_error', why: 'answerMemory' };
    const error = appError('answerFailedBefore', { problem: 'It broke.' });
    expect(readState({ problem: 'It broke.', facts })).toEqual({ kind: 'failed', error });
  });

  it.each([{ code: 'ofTomorrow', facts: {} }, { code: 'answerFailed', facts: {} }, 'x', undefined])(
    'gets a general error in place of the unknown error %j',
    (error) => {
      expect(readState({ error })).toEqual({ kind: 'failed', error: appError('answerLost') });
    },
  );
});

it('the formats of exports are grouped into text formats, formats with voices and formats that need ffmpeg', () => {
  const which = [isTextExport, hasVoices, takesFfmpeg].map((test) => exportFormats.filter(test));
  expect(which).toEqual([
    ['md', 'txt', 'json', 'vtt', 'srt'],
    ['wav', 'flac', 'mp4', 'zip'],
    ['flac', 'mp4'],
  ]);
});

it.each([
  ['Water', ['Hello'], 'Water'],
  [' ', [' \n', ' The  boiling\npoint '], 'The boiling point'],
  ['', [], ''],
  ['', ['👍'.repeat(80)], '👍'.repeat(80)],
  ['', ['👍'.repeat(81)], `${'👍'.repeat(80)}…`],
])('a record with the title %j and the turns %j is called %j', (title, texts, shown) => {
  const turns = texts.map((text) => ({ by: 'parley', at: 0, text, heard: 0 }) as const);
  const facts = { mode: 'audio', server: { name: 'Home' }, begunAt: 0, savedAt: 0 } as const;
  const record = { title, pinned: false, ...facts, turns, events: [], pictures: [] };
  expect(recordTitle(record)).toBe(shown);
});

describe('the scene of a replay', () => {
  const { talk } = emptyScene;
  const warning = { limit: 'time', threshold: 15, secondsLeft: 15 } as const;
  const session = { id: 's', dialect: 'unified' } as const;
  const began = { mode: 'audio', endpoint: 'Home', session } as const;
  const at = 5;
  const scene = (...notices: readonly ReplayedNotice[]) => notices.reduce(sceneAfter, emptyScene);

  it.each<[ReplayedNotice, object]>([
    [
      { at, name: 'talkState', payload: { phase: 'connecting' } },
      { warning, stateAt: at, talk: { state: { phase: 'connecting' } } },
    ],
    [
      { at, name: 'talkState', payload: { phase: 'live' } },
      { warning: undefined, stateAt: at },
    ],
    [
      { at, name: 'talkControls', payload: { ...talk.controls, passing: true } },
      { talk: { controls: { passing: true } } },
    ],
    [{ at, name: 'floor', payload: 'both' }, { talk: { floor: 'both' } }],
    [
      { at, name: 'picture', payload: 7 },
      { picture: 7, stateAt: 0 },
    ],
    [
      { at, name: 'talkBegan', payload: began },
      { warning, talk: { talk: began } },
    ],
    [
      { at, name: 'talkBegan', payload: { mode: 'audio', endpoint: 'B' } },
      { warning: undefined, stateAt: 0 },
    ],
  ])('takes over the notice %j', (notice, after) => {
    expect(scene({ at, name: 'talkWarning', payload: warning }, notice)).toMatchObject(after);
  });

  it('keeps the newest three errors, and places the user’s words after the newest turn', () => {
    const caption = (turn: number, added: string) =>
      ({ at, name: 'caption', payload: { turn, added } }) as const;
    const trouble = (minutes: number) =>
      ({ at, name: 'talkTrouble', payload: appError('talkKeyHeld', { minutes }) }) as const;
    const words = { text: 'Hi', state: 'written', transcribed: 'byMachine' } as const;
    const payload = { ...words, at, seconds: 1, after: undefined };
    const after = scene(
      caption(1, 'a'),
      caption(2, 'b'),
      { at, name: 'userPhrase', payload },
      caption(1, 'c'),
      caption(2, 'd'),
      ...[1, 2, 3, 4].map(trouble),
    );
    expect(after.troubles.map(({ facts }) => facts)).toEqual(
      [2, 3, 4].map((minutes) => ({ minutes })),
    );
    expect(after.talk.captions.map(({ text }) => text)).toEqual(['ac', 'bd']);
    expect(after.talk.userTranscript.phrases).toMatchObject([{ text: 'Hi', after: 2 }]);
  });
});
