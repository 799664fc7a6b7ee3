import { describe, expect, it } from 'vitest';
import { spokenVoice } from '../../../../shared/settings/audio-settings.ts';
import {
  chatSettings,
  withSpokenVoice,
  withUsualVoice,
} from '../../../../shared/settings/chat-settings.ts';

const chat = chatSettings.initial;

describe('the voice of written conversations', () => {
  it('is the one that talks have at first', () => {
    expect(withSpokenVoice(chat, 'none').voice).toBe('none');
    expect(withSpokenVoice(chat, 'anna')).toEqual({ ...chat, voice: 'anna' });
  });

  it('comes back as it was set', () => {
    const options = { ...chat, voice: 'bert' };
    expect(withSpokenVoice(withUsualVoice(options, 'anna'), 'anna')).toEqual(options);
  });

  it('is for talks what a talk really sounds like', () => {
    expect(spokenVoice({ model: 'anna', speech: 'none' })).toBe('anna');
    expect(spokenVoice({ model: 'anna', speech: 'bert' })).toBe('bert');
    expect(spokenVoice({ model: 'none', speech: 'none' })).toBe('none');
  });

  it('follows the voice of talks as long as both have the same', () => {
    const kept = withUsualVoice({ ...chat, voice: 'anna' }, 'anna');
    expect(withSpokenVoice(kept, 'bert').voice).toBe('bert');
  });
});
