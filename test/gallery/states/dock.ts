import { initialChatUiState } from '../../../renderer/chat/chat-ui-state.ts';
import { initialSettingsUiState } from '../../../renderer/settings/settings-ui-state.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { GalleryState } from '../gallery-state.ts';
import { sampleTurns } from '../sample-transcript.ts';
import { sampleChat } from '../sample-chat.ts';
import { sampleDevices, sampleSettings, severalServers } from '../sample-settings.ts';
import { live } from './talk.ts';

export const dockStates: Readonly<Record<string, GalleryState>> = {
  'live-spoken': {
    view: (language) => ({
      ...live(language),
      spoken: {
        turns: [
          { at: 0, seconds: 4.2, after: undefined },
          { at: 9000, seconds: 2, after: sampleTurns(language).at(-2)?.turn },
        ],
        speaking: undefined,
      },
    }),
  },
  'live-typing': {
    view: (language) => {
      const conversation = sampleChat(language);
      return {
        ...live(language),
        chat: { ...initialChatUiState, conversation },
        typing: { open: true, chat: conversation.id, error: undefined },
      };
    },
  },
  'live-typing-refused': {
    view: (language) => ({
      ...live(language),
      typing: { open: true, chat: undefined, error: appError('noChatInLegacy') },
    }),
  },
  'live-more-choices': {
    view: (language) => ({
      ...live(language),
      settings: { ...sampleSettings, endpoints: severalServers },
      settingsUi: { ...initialSettingsUiState, devices: sampleDevices },
    }),
    clicks: ['.dock-row > [aria-haspopup]', '.folded-choice summary'],
  },
  'live-more': { view: live, click: '.dock-row > [aria-haspopup]' },
};
