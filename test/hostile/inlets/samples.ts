import type { ChatThread } from '../../../shared/chat/chat-thread.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { TalkRecord } from '../../../shared/recordings/talk-record.ts';
import { defaultSettings, type Settings } from '../../../shared/settings/settings.ts';

/** Settings after the first run. */
export const sampleSettings: Settings = { ...defaultSettings, firstRun: { done: true } };

/** A talk with every kind of content. */
export const sampleTalk: TalkRecord = {
  title: 'Tea',
  pinned: true,
  mode: 'video',
  server: { name: 'Studio' },
  begunAt: Date.UTC(2026, 0, 1),
  savedAt: Date.UTC(2026, 0, 1, 0, 1),
  ending: { error: appError('noTalk'), by: 'client', orderly: true },
  turns: [
    { by: 'person', at: 5, text: 'When does water boil?', heard: 21, transcribed: 'byMachine' },
    { by: 'parley', at: 10, text: 'Water boils at 100 degrees.', heard: 5, cutFrom: 5 },
  ],
  events: [
    { at: 0, kind: 'began' },
    { at: 11, kind: 'interrupted', turn: 1 },
    { at: 12, kind: 'deviceLost', role: 'speaker' },
    { at: 13, kind: 'trouble', error: appError('connectionLost') },
  ],
  pictures: [{ at: 5, file: 'picture-0001.jpg', width: 2, height: 2 }],
};

/** A chat with every kind of content. */
export const sampleChat: ChatThread = {
  id: 'c1',
  title: 'Tea',
  createdAt: 1,
  updatedAt: 2,
  pinned: false,
  turns: [
    {
      role: 'user',
      id: 'u1',
      at: 1,
      parts: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', media: 'm1' },
        { type: 'audio', media: 'm2', seconds: 2 },
      ],
    },
    {
      role: 'assistant',
      id: 'a1',
      at: 2,
      text: 'Green **tea**.',
      state: { kind: 'failed', error: appError('connectionLost') },
      speechSeconds: 0,
      stats: { firstMs: 20, totalMs: 40, contextTokens: 5 },
    },
  ],
  branches: [{ id: 'b1', after: 'u1', turns: [] }],
};
