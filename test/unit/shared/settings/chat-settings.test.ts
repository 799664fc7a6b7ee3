import { describe, expect, it } from 'vitest';
import { spokenVoice } from '../../../../shared/settings/audio-settings.ts';
import {
  chatOptionsOf,
  chatSettingsOf,
  defaultChatOptions,
} from '../../../../shared/settings/chat-settings.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';

const { chat } = defaultSettings;

describe('the options of chat as settings', () => {
  it('are the usual ones at first, with the voice that talks have', () => {
    expect(chatOptionsOf(chat, 'none')).toEqual(defaultChatOptions);
    expect(chatOptionsOf(chat, 'anna')).toEqual({ ...defaultChatOptions, voice: 'anna' });
  });

  it('come back as they were set', () => {
    const options = {
      system: 'Be brief.',
      streaming: false,
      speech: true,
      voice: 'bert',
      maxNewTokens: 200,
      lengthPenalty: 1.2,
      thinking: true,
      maxSlices: 4,
      ttsTemplate: false,
    };
    expect(chatOptionsOf(chatSettingsOf(options, 'anna'), 'anna')).toEqual(options);
    expect(chatOptionsOf(chatSettingsOf(defaultChatOptions, 'anna'), 'anna')).toEqual(
      defaultChatOptions,
    );
  });

  it('take for the voice of talks what a talk really sounds like', () => {
    expect(spokenVoice({ model: 'anna', speech: 'none' })).toBe('anna');
    expect(spokenVoice({ model: 'anna', speech: 'bert' })).toBe('bert');
    expect(spokenVoice({ model: 'none', speech: 'none' })).toBe('none');
  });

  it('follow the voice of talks as long as they have the same', () => {
    const kept = chatSettingsOf({ ...defaultChatOptions, voice: 'anna' }, 'anna');
    expect(chatOptionsOf(kept, 'bert').voice).toBe('bert');
  });
});
