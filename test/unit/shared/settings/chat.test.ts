import { describe, expect, it } from 'vitest';
import { usualChatOptions } from '../../../../shared/chat/chat-options.ts';
import { chatOptionsOf, chatSettingsOf } from '../../../../shared/settings/chat.ts';
import { defaultSettings } from '../../../../shared/settings/default-settings.ts';

const { chat } = defaultSettings;

describe('the options of chat as settings', () => {
  it('are the usual ones at first, with the voice that talks have', () => {
    expect(chatOptionsOf(chat, 'none')).toEqual(usualChatOptions);
    expect(chatOptionsOf(chat, 'anna')).toEqual({ ...usualChatOptions, voice: 'anna' });
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
    };
    expect(chatOptionsOf(chatSettingsOf(options, 'anna'), 'anna')).toEqual(options);
    expect(chatOptionsOf(chatSettingsOf(usualChatOptions, 'anna'), 'anna')).toEqual(
      usualChatOptions,
    );
  });

  it('follow the voice of talks as long as they have the same', () => {
    const kept = chatSettingsOf({ ...usualChatOptions, voice: 'anna' }, 'anna');
    expect(chatOptionsOf(kept, 'bert').voice).toBe('bert');
  });
});
