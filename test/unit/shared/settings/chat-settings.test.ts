import { describe, expect, it } from 'vitest';
import { spokenVoice } from '../../../../shared/settings/audio-settings.ts';
import {
  chatSettings,
  resolveUsualVoice,
  toStoredVoice,
} from '../../../../shared/settings/assistant-settings.ts';

const chat = chatSettings.initial;

describe('the voice of chats', () => {
  it('is the voice of talks by default', () => {
    expect(resolveUsualVoice(chat, 'none').voice).toBe('none');
    expect(resolveUsualVoice(chat, 'anna')).toEqual({ ...chat, voice: 'anna' });
  });

  it('round-trips', () => {
    const options = { ...chat, voice: 'bert' };
    expect(resolveUsualVoice(toStoredVoice(options, 'anna'), 'anna')).toEqual(options);
  });

  it('is the voice that is really heard in talks', () => {
    expect(spokenVoice({ model: 'anna', speech: 'none' })).toBe('anna');
    expect(spokenVoice({ model: 'anna', speech: 'bert' })).toBe('bert');
    expect(spokenVoice({ model: 'none', speech: 'none' })).toBe('none');
  });

  it('follows the voice of talks while both are equal', () => {
    const kept = toStoredVoice({ ...chat, voice: 'anna' }, 'anna');
    expect(resolveUsualVoice(kept, 'bert').voice).toBe('bert');
  });
});
