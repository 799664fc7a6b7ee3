import { describe, expect, it } from 'vitest';
import {
  chatSettingsSchema,
  chatThreadSchema,
  partSchema,
} from '../../../../shared/chat/chat-thread-schema.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
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

  it('keeps the sentence of an older version', () => {
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
