import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serializeChat } from '../../../electron/chat/stored-chat.ts';
import { serializeTalk } from '../../../electron/recordings/history/talk-source.ts';
import type { Random } from '../../../shared/ports/clock.ts';
import { seeded } from '../../fakes/seeded.ts';
import {
  createChatStore,
  createTalkStore,
} from '../../../electron/platform/files/chat-and-talk-store.ts';
import { openHistoryIndex } from '../../../electron/platform/history/history-index-thread.ts';
import { systemClock } from '../../../electron/platform/system/system-clock.ts';
import { chatHistorySource } from '../../../electron/recordings/history/chat-history-source.ts';
import { HistoryLibrary } from '../../../electron/recordings/history/history-library.ts';
import { IndexSync } from '../../../electron/recordings/history/index-sync.ts';
import { TalkSource } from '../../../electron/recordings/history/talk-source.ts';

const day = 86_400_000;
const begin = Date.UTC(2026, 0, 1);

/** Writes equal numbers of talks and chats, of 300 words each, forty a day. */
export function fillHistory(folder: string, count: number): void {
  const random = seeded(count);
  for (let number = 0; number < count; number += 1) {
    const at = begin + (number * day) / 40;
    const id = `c${String(number)}`;
    if (number % 2 === 0)
      put(
        folder,
        'talks',
        new Date(at).toISOString().replaceAll(/[:.]/g, '-'),
        'talk.json',
        talk(at, random),
      );
    else put(folder, 'chats', id, 'conversation.json', chat(id, at, random));
  }
}

function put(folder: string, kind: string, id: string, name: string, text: string): void {
  mkdirSync(join(folder, kind, id), { recursive: true });
  writeFileSync(join(folder, kind, id, name), text);
}

function talk(at: number, random: Random): string {
  const turns = Array.from({ length: 6 }, (_, turn) => {
    const text = words(50, random);
    return { by: 'parley', at: turn * 1000, text, heard: text.length } as const;
  });
  return serializeTalk({
    title: '',
    pinned: false,
    mode: 'audio',
    server: { name: 'Studio' },
    begunAt: at,
    savedAt: at + 60_000,
    ending: { error: { code: 'noTalk', facts: {} }, by: 'client', orderly: true },
    turns,
    events: [],
    pictures: [],
  });
}

function chat(id: string, at: number, random: Random): string {
  const turn = {
    role: 'user',
    id: 'q',
    at,
    parts: [{ type: 'text', text: words(300, random) }],
  } as const;
  return serializeChat({
    id,
    title: 'A title',
    createdAt: at,
    updatedAt: at,
    pinned: false,
    turns: [turn],
    branches: [],
  });
}

function words(count: number, random: Random): string {
  const said = Array.from({ length: count }, () => `w${Math.floor(random() ** 2 * 8000)}`);
  if (random() < 0.1) said.push('谁知道黄河的源头在哪里？');
  return said.join(' ');
}

const nobody = (): Promise<never> => Promise.reject(new Error('unexpected question'));

/** Opens the history of a folder like the core; `entry` is the built index worker. */
export function openLibrary(folder: string, entry: string) {
  const index = openHistoryIndex(join(folder, 'history'), entry);
  const path = join(folder, 'chats');
  const chats = chatHistorySource({
    store: createChatStore(folder),
    onDamaged: nobody,
    path,
  });
  const sources = [new TalkSource(createTalkStore(folder)), chats];
  const sync = new IndexSync({
    sources,
    index,
    clock: systemClock,
    onIndexChange: () => undefined,
    reportError: ({ code }) => {
      throw new Error(code);
    },
  });
  const library = new HistoryLibrary({
    sources,
    index,
    sync,
    tapes: () => Promise.resolve(new Set()),
    runningId: () => undefined,
    wallNow: () => 0,
  });
  return { index, sync, library };
}
