import { describe, expect, it } from 'vitest';
import {
  chatSettingsSchema,
  chatThreadSchema,
  partSchema,
} from '../../../../shared/chat/chat-thread-checks.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import { chatSettings } from '../../../../shared/settings/chat-settings.ts';

/** The usual ones, spoken by the server's own voice. */
const ownVoice = { ...chatSettings.initial, voice: 'none' };

const takes = (check: typeof partSchema | typeof chatSettingsSchema, value: unknown): boolean =>
  check.safeParse(value).success;

describe('what a page may send', () => {
  it('is text, pictures and sounds by their ids, and nothing else', () => {
    expect(takes(partSchema, { type: 'text', text: 'Hello' })).toBe(true);
    expect(takes(partSchema, { type: 'image', media: 'a0v' })).toBe(true);
    expect(takes(partSchema, { type: 'audio', media: 'a0v', seconds: 2 })).toBe(true);
    for (const wrong of [
      { type: 'text', text: 'x'.repeat(1_000_001) },
      { type: 'text', text: 'x', more: 1 },
      { type: 'image', media: '../../etc' },
      { type: 'image', media: '' },
      { type: 'audio', media: 'a', seconds: Number.NaN },
      { type: 'file', path: '/etc/passwd' },
      undefined,
    ]) {
      expect(takes(partSchema, wrong)).toBe(false);
    }
  });

  it('is all options of an answer as the settings take them', () => {
    const all = { system: 'x', voice: 'v', maxNewTokens: 8192, lengthPenalty: 5, maxSlices: 9 };
    expect(takes(chatSettingsSchema, ownVoice)).toBe(true);
    expect(takes(chatSettingsSchema, { ...ownVoice, ...all })).toBe(true);
    expect(takes(chatSettingsSchema, { streaming: true })).toBe(false);
    // Too long a text is refused by the settings, with a sentence.
    expect(takes(chatSettingsSchema, { ...ownVoice, system: 'x'.repeat(60_000) })).toBe(true);
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
      expect(takes(chatSettingsSchema, { ...ownVoice, ...wrong })).toBe(false);
    }
  });
});

describe('an answer that failed, as it was kept', () => {
  const kept = (more: object) => {
    const turn = { role: 'assistant', id: 'a', at: 1, text: '', speechSeconds: 0 };
    const state = { kind: 'failed', ...more };
    const times = { createdAt: 1, updatedAt: 1, pinned: false };
    const whole = { id: 'c', title: '', ...times, turns: [{ ...turn, state }], branches: [] };
    const [read] = chatThreadSchema.parse(whole).turns;
    return read?.role === 'assistant' && read.state;
  };

  it('has what it failed for', () => {
    const error = appError('answerFailed', { code: 'inference_error' }, { detail: 'no memory' });
    expect(kept({ error })).toEqual({ kind: 'failed', error });
  });

  it('has the sentence that older versions wrote', () => {
    const facts = { reason: 'inference_error', why: 'answerMemory' };
    const error = appError('answerFailedBefore', { problem: 'It broke.' });
    expect(kept({ problem: 'It broke.', facts })).toEqual({ kind: 'failed', error });
  });

  it.each([{ code: 'ofTomorrow', facts: {} }, { code: 'answerFailed', facts: {} }, 'x', undefined])(
    'is failed all the same where this version does not know %j',
    (error) => {
      expect(kept({ error })).toEqual({ kind: 'failed', error: appError('answerLost') });
    },
  );
});
