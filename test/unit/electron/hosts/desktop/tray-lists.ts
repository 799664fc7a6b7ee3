import type { ListedDevice } from '../../../../../shared/audio/listed-device.ts';
import type { ChatSummary } from '../../../../../shared/chat/chat-thread.ts';

/** Lists for tray tests: a device with an ampersand in its name, and an untitled conversation. */
export const devices: readonly ListedDevice[] = [
  {
    name: 'Mike & Co',
    hostApi: 'ALSA',
    inputChannels: 1,
    outputChannels: 0,
    rate: 48_000,
    defaultInput: true,
    defaultOutput: false,
  },
];
const chat = { title: 'Bees', pinned: false };

export const chats: readonly ChatSummary[] = [
  { ...chat, id: 'chat-1', updatedAt: 1 },
  { ...chat, id: 'chat-2', updatedAt: 2, title: '' },
];
