import { readUpdateState } from '../../../electron/app/updates/update-state.ts';
import { parseStoredChat, serializeChat } from '../../../electron/chat/stored-chat.ts';
import { readGatewayScript } from '../../../electron/hosts/terminal/commands/gateway-command.ts';
import { readMessagesFile } from '../../../electron/hosts/terminal/options/command-files.ts';
import { createSecretFile } from '../../../electron/platform/files/secret-file.ts';
import { bufferBase64 } from '../../../electron/platform/system/base64-sha256.ts';
import {
  parseStoredTalk,
  serializeTalk,
  toTalkItem,
  listTalkTexts,
} from '../../../electron/recordings/history/talk-source.ts';
import { openTape, readTapeHeader } from '../../../electron/recordings/tape/tape-archive.ts';
import { readStoredSettings, writeSettings } from '../../../shared/settings/read-settings.ts';
import { judgeUpdate, readUpdateFeed } from '../../../shared/updates/update-feed.ts';
import { FakeFiles } from '../../fakes/fake-files.ts';
import { FakeStateFile } from '../../fakes/fake-state-file.ts';
import { sampleFeed } from '../../fakes/fake-updates.ts';
import { storedTape } from '../../fixtures/stored-tape.ts';
import type { EntryPoint } from '../entry-point.ts';
import type { ChatThread } from '../../../shared/chat/chat-thread.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { TalkRecord } from '../../../shared/recordings/talk-record.ts';
import { defaultSettings, type Settings } from '../../../shared/settings/settings.ts';

/** Settings after the first run. */
const sampleSettings: Settings = { ...defaultSettings, firstRun: { done: true } };

/** A talk with every kind of content. */
const sampleTalk: TalkRecord = {
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
const sampleChat: ChatThread = {
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

const linesPath = '/tape/tape.ndjson';
const tape = storedTape('video');
const tapeRows = tape.text(linesPath).trimEnd().split('\n');

/** A corrupted line goes among valid ones; any other text replaces the whole file. */
async function openCorruptedTape(text: string): Promise<unknown> {
  const files = new FakeFiles();
  for (const path of tape.names()) files.put(path, tape.bytes(path));
  const corrupted = text.startsWith('{"at":') ? [tapeRows[0], text, ...tapeRows.slice(1)] : [text];
  files.put(linesPath, `${corrupted.join('\n')}\n`);
  const header = readTapeHeader('/tape', files);
  const opened = await openTape('/tape', { files, base64: bufferBase64 });
  if (!opened.ok) return opened;
  const { lines, frame, missing, damage, close } = opened.value;
  const frames = lines.map((line) => ('frame' in line ? frame(line.frame) : line));
  close();
  return { header, frames: frames.length, second: frames.at(1), missing: missing(), damage };
}

/** Checks that an accepted value is the same after it is written and read back. */
function checkRewrite<Value>(value: Value, again: (value: Value) => Value | undefined): Value {
  const reread = again(value);
  if (JSON.stringify(reread) !== JSON.stringify(value))
    throw new Error(`${JSON.stringify(value)} is read back as ${JSON.stringify(reread)}`);
  return value;
}

const inFile = (text: string): Pick<FakeFiles, 'read' | 'readText'> & FakeFiles => {
  const files = new FakeFiles();
  files.put('/given.json', text);
  return files;
};

const updateFacts = {
  runningVersion: '0.1.0',
  packageSuffix: 'linux-x64.tar.gz',
  now: '2026-02-01T00:00:00.000Z',
  lastIssuedAt: '',
  rolloutPosition: 0.5,
  isManual: true,
};

/** Entry points for files, which other programs may have changed since Parley wrote them. */
export const fileEntryPoints: readonly EntryPoint[] = [
  {
    name: 'settings',
    samples: [writeSettings(sampleSettings), '{"version":1,"privacy":{"days":7}}'],
    open: (text) => {
      const { settings, error } = readStoredSettings({ ok: true, value: text });
      checkRewrite(settings, (taken) => {
        const again = readStoredSettings({ ok: true, value: writeSettings(taken) });
        return again.error === undefined ? again.settings : undefined;
      });
      return { settings, error };
    },
  },
  { name: 'tapes', samples: tapeRows.slice(0, 12), open: openCorruptedTape },
  {
    name: 'records of talks',
    samples: [serializeTalk(sampleTalk)],
    open: (text) => {
      const read = parseStoredTalk('/talks/one', text);
      if (!read.ok) return read;
      checkRewrite(read.value, (talk) => {
        const again = parseStoredTalk('/talks/one', serializeTalk(talk));
        return again.ok ? again.value : undefined;
      });
      return [toTalkItem('one', read.value), listTalkTexts(read.value)];
    },
  },
  {
    name: 'written conversations',
    samples: [serializeChat(sampleChat)],
    open: (text) => {
      const read = parseStoredChat(sampleChat.id, text);
      return (
        read && checkRewrite(read, (chat) => parseStoredChat(sampleChat.id, serializeChat(chat)))
      );
    },
  },
  {
    name: 'tokens',
    samples: [
      '{"version":1,"tokens":[{"id":"one","plain":"secret"},{"id":"two","sealed":"AA=="}]}',
    ],
    open: async (text) => {
      const tokens = createSecretFile(
        new FakeStateFile(new Map([['tokens.json', text]]), 'tokens'),
      );
      return [await tokens.get('one'), await tokens.get('two'), tokens.count()];
    },
  },
  {
    name: 'the feed of updates',
    samples: [sampleFeed()],
    open: (text) => {
      const feed = readUpdateFeed(text);
      return typeof feed === 'string' ? feed : judgeUpdate(feed, updateFacts);
    },
  },
  {
    name: 'the state of updates',
    samples: ['{"share":0.5,"issuedBefore":"","told":"0.2.0","notes":{"en":"New."}}'],
    open: (text) => readUpdateState(text, 0.5),
  },
  {
    name: 'a file of messages',
    samples: ['[{"role":"user","content":"Hello"}]'],
    open: (text) => readMessagesFile(inFile(text), '/given.json'),
  },
  {
    name: 'a script of the gateway',
    samples: ['[{"kind":"drop","session":1,"atStep":3},{"kind":"delay","ms":5,"jitterMs":2}]'],
    open: (text) => readGatewayScript({ files: inFile(text) }, '/given.json'),
  },
];
