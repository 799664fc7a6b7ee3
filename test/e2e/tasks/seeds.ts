import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { appError } from '../../../shared/errors/app-error.ts';
import { defaultSettings, type SettingsPatch } from '../../../shared/settings/settings.ts';
import { putStoredTape } from '../../fixtures/stored-tape.ts';

/** Data of a user who has used Parley for a while. */
export const workstation = { id: 'workstation', name: 'Workstation', url: 'ws://127.0.0.1:9' };
export const harbourTalk = { id: '2026-10-02T08-04-05-000Z', title: 'The harbour' };
export const keptChat = { id: 'lanterns', title: 'Festival lanterns', answer: 'Paper and wire.' };
export const soupChat = { id: 'soup', title: 'Lentil soup for six' };

const [demonstration] = defaultSettings.endpoints.list;
if (demonstration === undefined) throw new Error('The settings lack the demonstration.');

export const settledSettings: SettingsPatch = {
  firstRun: { done: true },
  privacy: { keepChats: true },
  told: { keptInTray: true, noTray: true },
  endpoints: {
    chosen: demonstration.id,
    list: [demonstration, { ...demonstration, ...workstation, kind: 'local' }],
  },
};

/** Writes a talk with its tape, two chats and a voice into the state folder. */
export async function putSeeds(home: string): Promise<void> {
  const state = join(home, 'state');
  const put = async (folder: string, name: string, content: unknown): Promise<void> => {
    await mkdir(join(state, folder), { recursive: true });
    await writeFile(join(state, folder, name), JSON.stringify(content));
  };
  const begunAt = Date.now() - 26 * 3_600_000;
  await put(join('talks', harbourTalk.id), 'talk.json', {
    format: 'parley-talk',
    version: 1,
    title: harbourTalk.title,
    pinned: false,
    mode: 'audio',
    server: { name: workstation.name },
    begunAt,
    savedAt: begunAt + 95_000,
    turns: [
      { by: 'person', at: 2000, text: 'What can one do at the harbour in the evening?', heard: 46 },
      {
        by: 'parley',
        at: 6000,
        text: 'The fishing boats come back at six, and the market opens on the quay.',
        heard: 69,
      },
    ],
    events: [],
    pictures: [],
    ending: { error: appError('endedByPerson'), by: 'client', orderly: true },
  });
  putStoredTape('audio-interrupted', join(state, 'tapes', harbourTalk.id));
  await put(join('chats', keptChat.id), 'conversation.json', chat(keptChat, keptChat.answer));
  await put(join('chats', soupChat.id), 'conversation.json', chat(soupChat, 'Two cups of them.'));
  await put('voices', 'ann.json', {
    version: 1,
    id: 'ann',
    name: 'Ann',
    seconds: 4,
    notes: [],
    createdAt: new Date(begunAt).toISOString(),
  });
  const speech = resolve(import.meta.dirname, '../../../resources/speech/hello.wav');
  await cp(speech, join(state, 'voices', 'ann.wav'));
}

function chat({ id, title }: typeof soupChat, answer: string): unknown {
  const at = Date.now() - 3_600_000;
  const parts = [{ type: 'text', text: `${title}: what do I need?` }];
  const turns = [
    { role: 'user', id: `${id}0`, at, parts },
    {
      role: 'assistant',
      id: `${id}1`,
      at,
      text: answer,
      state: { kind: 'done', cutShort: false },
      speechSeconds: 0,
    },
  ];
  const conversation = {
    id,
    title,
    createdAt: at,
    updatedAt: at,
    pinned: false,
    turns,
    branches: [],
  };
  return { version: 1, conversation };
}
