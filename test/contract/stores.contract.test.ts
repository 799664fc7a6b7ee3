import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ChatStore, StoredMedia } from '../../electron/chat/stored-chat.ts';
import {
  createChatStore,
  createTalkStore,
} from '../../electron/platform/files/chat-and-talk-store.ts';
import { createServerFactsFile } from '../../electron/platform/files/server-facts-file.ts';
import { createVoiceFolder } from '../../electron/platform/files/voice-folder.ts';
import type { VoiceStore } from '../../electron/settings/voices/voice-library.ts';
import { done, failure } from '../../shared/errors/app-error.ts';
import { FakeChatStore, fakeVoices } from '../fakes/fake-stores.ts';
import { fakeServerFacts } from '../fakes/fake-server-facts.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';

const picture = Uint8Array.of(1, 2, 3);
const media = (name: string, bytes: Uint8Array | undefined = picture): StoredMedia => ({
  name,
  bytes: () => bytes,
});
/** A file that has lost its bytes. The text is stored without it. */
const gone: StoredMedia = { name: 'gone.jpg', bytes: () => undefined };
const unreadable = (name: string): StoredMedia => ({
  name,
  bytes: () => {
    throw new Error('The file is stored already, so its bytes are not needed.');
  },
});

/** The stored texts with their ids. */
async function listTexts({
  list,
  read,
}: ChatStore): Promise<readonly (readonly [string, string])[]> {
  const listed = unwrap(await list());
  const texts = await Promise.all(
    listed.map(async ({ id }) => {
      const stored = await read(id);
      return [id, stored.ok ? stored.value.text : stored.error.code] as const;
    }),
  );
  return texts.toSorted(([one], [other]) => (one < other ? -1 : 1));
}

describe.each([
  { name: 'folders', make: () => createChatStore(workFolder()('state')) },
  { name: 'the fake', make: () => new FakeChatStore() },
])('a store of conversations: $name', ({ make }) => {
  it('returns the last text written under each id', async () => {
    const store = make();
    expect(await listTexts(store)).toEqual([]);
    expect(await store.write('a1', 'one', [])).toEqual(done);
    await store.write('b2', 'two 你好', []);
    await store.write('a1', 'one again', []);
    expect(await listTexts(store)).toEqual([
      ['a1', 'one again'],
      ['b2', 'two 你好'],
    ]);
    expect(await store.read('c3')).toMatchObject({ ok: false, error: { code: 'fileGone' } });
  });

  it('stores media by name, writes each medium once, and deletes media that the chat no longer names', async () => {
    const store = make();
    await store.write('a', 'x', [media('p.jpg'), media('s.wav', Uint8Array.of(9)), gone]);
    expect(await store.readMedia('a', gone.name)).toMatchObject({ ok: false });
    await store.write('a', 'y', [unreadable('p.jpg')]);
    expect(await store.readMedia('a', 'p.jpg')).toEqual({ ok: true, value: picture });
    expect(await store.readMedia('a', 's.wav')).toMatchObject({ ok: false });
    expect(await store.readMedia('b', 'p.jpg')).toMatchObject({ ok: false });
  });

  it('sets a damaged chat aside under a new name each time, and stops listing it', async () => {
    const store = make();
    await store.write('a', 'x', []);
    const first = await store.setAside('a');
    await store.write('a', 'y', []);
    const second = await store.setAside('a');
    expect(first).toMatchObject({ ok: true, value: expect.stringContaining('damaged') as string });
    expect(second).toMatchObject({ ok: true });
    expect(second).not.toEqual(first);
    expect(await listTexts(store)).toEqual([]);
    expect(await store.setAside('a')).toMatchObject({ ok: false });
  });

  it('removes one chat or all chats, even missing ones', async () => {
    const store = make();
    await store.write('a', 'x', [media('p.jpg')]);
    await store.write('b', 'y', []);
    expect(await store.remove('a')).toMatchObject({ ok: true });
    expect(await store.remove('a')).toMatchObject({ ok: true });
    expect(await store.readMedia('a', 'p.jpg')).toMatchObject({ ok: false });
    expect(await store.removeAll()).toMatchObject({ ok: true });
    expect(await listTexts(store)).toEqual([]);
  });

  it('rejects an invalid id as a path', async () => {
    const store = make();
    expect(await store.write('../a', 'x', [])).toMatchObject({ ok: false });
    expect(await store.readMedia('..', 'p.jpg')).toMatchObject({ ok: false });
    expect(await store.setAside('..')).toMatchObject({ ok: false });
    expect(await listTexts(store)).toEqual([]);
  });
});

/** One chat and one talk. */
function openBoth(folder: string) {
  const [chats, talks] = [createChatStore(folder), createTalkStore(folder)];
  return [
    ['chats', { read: () => chats.read('a'), write: (text: string) => chats.write('a', text, []) }],
    ['talks', { read: () => talks.read('a'), write: (text: string) => talks.write('a', text) }],
  ] as const;
}

describe('folders', () => {
  it('leave no draft behind and are private', async () => {
    const at = workFolder();
    const store = createChatStore(at('state'));
    await store.write('a', 'x', [media('p.jpg')]);
    expect(readdirSync(at('state/chats/a'))).toEqual(['conversation.json', 'p.jpg']);
    expect(statSync(at('state/chats/a')).mode & 0o777).toBe(0o700);
    expect(statSync(at('state/chats/a/conversation.json')).mode & 0o777).toBe(0o600);
    await store.setAside('a');
    await store.removeAll();
    expect(readdirSync(at('state'))).toEqual([]);
  });

  it('ignore foreign entries and links, and remove drafts of a killed write', async () => {
    const at = workFolder();
    const store = createChatStore(at('state'));
    await store.write('a', 'x', []);
    mkdirSync(at('state/chats/b/conversation.json'), { recursive: true });
    mkdirSync(at('state/chats/c'));
    mkdirSync(at('state/chats/Copy of a'));
    writeFileSync(at('state/chats/Copy of a/conversation.json'), 'x');
    writeFileSync(at('state/chats/notes.txt'), 'x');
    symlinkSync(at('state/chats/a'), at('state/chats/d'));
    const draft = at('state/chats/a/conversation.json.4194305-1.draft');
    writeFileSync(draft, 'x');
    expect(await listTexts(store)).toEqual([['a', 'x']]);
    expect(existsSync(draft)).toBe(false);
  });

  it('have no drafts within, because a start would have to look for those of killed processes in each', async () => {
    const at = workFolder();
    for (const [part, store] of openBoth(at('state'))) {
      const written = store.write('x'.repeat(8_000_000));
      const places = new Set<string>();
      while ((await Promise.race([written, setImmediate('writing')])) === 'writing')
        for (const name of readdirSync(at(`state/${part}`), { recursive: true, encoding: 'utf8' }))
          if (name.endsWith('.draft')) places.add(dirname(name));
      expect([...places, await written]).toEqual(['.', done]);
    }
  });

  it('keep the old text if the new one would be too large to be read', async () => {
    for (const [, { read, write }] of openBoth(workFolder()('state'))) {
      unwrap(await write('old'));
      const written = await write('x'.repeat(17 * 1024 * 1024));
      expect(written).toMatchObject({ error: { code: 'fileTooLarge' } });
      expect(unwrap(await read()).text).toBe('old');
    }
  });

  it('keep the old text if the new one cannot be written whole', async () => {
    const at = workFolder();
    const store = createChatStore(at('state'));
    await store.write('a', 'old', []);
    expect(await store.write('a', 'new', [unreadable('p.jpg')])).toMatchObject({ ok: false });
    expect(await listTexts(store)).toEqual([['a', 'old']]);
  });
});

const ann = { id: 'voice-1', name: 'Ann', seconds: 4.2, notes: ['quiet'] } as const;
const wav = Uint8Array.from([82, 73, 70, 70, 1, 2, 3]);

const kinds: readonly [string, () => VoiceStore][] = [
  ['voices in memory', fakeVoices],
  ['voices in a folder', () => createVoiceFolder(workFolder()('voices'))],
];

describe.each(kinds)('%s', (_name, open) => {
  it('can be saved, listed, renamed and removed', async () => {
    const store = open();
    expect(unwrap(await store.list())).toEqual([]);
    const kept = unwrap(await store.save(ann, wav));
    expect(kept).toEqual({ ...ann, createdAt: kept.createdAt });
    expect(new Date(kept.createdAt).toISOString()).toBe(kept.createdAt);
    expect(unwrap(await store.list())).toEqual([kept]);
    expect([...unwrap(await store.read('voice-1'))]).toEqual([...wav]);
    expect(unwrap(await store.rename('voice-1', '安'))).toEqual({ ...kept, name: '安' });
    expect(unwrap(await store.list())).toEqual([{ ...kept, name: '安' }]);
    unwrap(await store.remove('voice-1'));
    unwrap(await store.remove('voice-1'));
    expect(unwrap(await store.list())).toEqual([]);
  });

  it('cannot be read or renamed after they are gone', async () => {
    const store = open();
    unwrap(await store.save(ann, wav));
    const tries = [await store.read('voice-9'), await store.rename('voice-9', 'x')];
    const gone = failure('voiceGone');
    expect(tries).toEqual([gone, gone]);
  });

  it.each(['../settings', '/etc/passwd', '', 'A', 'a b', 'a/b', 'x'.repeat(50)])(
    'are refused under the unsafe id %j',
    async (id) => {
      const store = open();
      const tries = [
        await store.read(id),
        await store.rename(id, 'x'),
        await store.remove(id),
        await store.save({ ...ann, id }, wav),
      ];
      expect(tries.map(({ ok }) => ok)).toEqual([false, false, false, false]);
    },
  );
});

describe('voices in a folder', () => {
  it('are private WAV files without drafts', async () => {
    const folder = workFolder()('deep/voices');
    unwrap(await createVoiceFolder(folder).save(ann, wav));
    expect(readdirSync(folder).toSorted()).toEqual(['voice-1.json', 'voice-1.wav']);
    const modes = readdirSync(folder).map((name) => statSync(`${folder}/${name}`).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
    expect([...readFileSync(`${folder}/voice-1.wav`)]).toEqual([...wav]);
  });

  it.each(['', '{"name": 3, "notes": "no"}', '{"na', undefined])(
    'are listed by their ids with the description %j',
    async (damaged) => {
      const folder = workFolder()('voices');
      const store = createVoiceFolder(folder);
      unwrap(await store.save(ann, wav));
      if (damaged === undefined) rmSync(`${folder}/voice-1.json`);
      else writeFileSync(`${folder}/voice-1.json`, damaged);
      const [voice] = unwrap(await store.list());
      expect(voice).toMatchObject({ id: 'voice-1', name: 'voice-1', seconds: 0, notes: [] });
      expect(unwrap(await store.rename('voice-1', 'Ann')).name).toBe('Ann');
    },
  );

  it('are listed oldest first, without other files', async () => {
    const folder = workFolder()('voices');
    const store = createVoiceFolder(folder);
    for (const id of ['voice-b', 'voice-a', 'voice-c']) {
      unwrap(await store.save({ ...ann, id }, wav));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    writeFileSync(`${folder}/My Song.wav`, '');
    writeFileSync(`${folder}/voice-d.json`, '{}');
    // A broken link stands for a voice that disappears while the folder is listed.
    symlinkSync('nowhere', `${folder}/voice-e.wav`);
    expect(unwrap(await store.list()).map(({ id }) => id)).toEqual([
      'voice-b',
      'voice-a',
      'voice-c',
    ]);
  });
});

const server = 'wss://a.example/v1/realtime';
const pace = { stepMs: 1000, typicalMs: 1040, spreadMs: 90.5, maxMs: 1300 };

describe.each([
  { name: 'a server memory in a file', make: () => createServerFactsFile(workFolder()('state')) },
  { name: 'a fake server memory', make: fakeServerFacts },
])('$name', ({ make }) => {
  it('identifies servers by scheme, host and path only', async () => {
    const memory = make();
    memory.remember(`${server}?key=secret`, { dialect: 'legacy' });
    expect(memory.recall(server).dialect).toBe('legacy');
    expect(memory.recall(`${server}?key=other`).dialect).toBe('legacy');
    for (const other of [
      'wss://b.example/v1/realtime',
      'ws://a.example/v1/realtime',
      `${server}/x`,
    ])
      expect(memory.recall(other).dialect).toBeUndefined();
    await memory.settled();
  });

  it('merges facts remembered at different times', async () => {
    const memory = make();
    expect(memory.recall(server)).toEqual({});
    memory.remember(server, { pace, dialect: 'unified' });
    memory.remember(server, { dialect: 'legacy', voiceForm: 'float32' });
    memory.remember(server, { limits: { video: 90, tokens: 4096 } });
    memory.remember(server, { costs: { otherTokensPerSecond: 14.3, pictureScale: 1.5 } });
    memory.remember('wss://b.example/v1/realtime', { dialect: 'unified' });
    const others = {
      dialect: 'legacy',
      voiceForm: 'float32',
      limits: { video: 90, tokens: 4096 },
      costs: { otherTokensPerSecond: 14.3, pictureScale: 1.5 },
    };
    expect(memory.recall(`${server}?key=secret`)).toEqual({ ...others, pace });
    memory.remember(server, { pace: { ...pace, typicalMs: 900 } });
    await memory.settled();
    expect(memory.recall(server)).toEqual({ ...others, pace: { ...pace, typicalMs: 900 } });
  });

  it('remembers the newest hundred servers', async () => {
    const memory = make();
    for (let nr = 0; nr < 100; nr += 1) memory.remember(`ws://s${nr}/`, { dialect: 'legacy' });
    memory.remember('ws://s0/', { dialect: 'legacy' });
    memory.remember('ws://s100/', { dialect: 'legacy' });
    expect(memory.recall('ws://s1/').dialect).toBeUndefined();
    for (const nr of [0, 2, 99, 100]) expect(memory.recall(`ws://s${nr}/`).dialect).toBe('legacy');
    await memory.settled();
  });
});

describe('the file of the server memory', () => {
  it('is read by the next process, and has no secret', async () => {
    const folder = workFolder()('deep/state');
    const memory = createServerFactsFile(folder);
    memory.remember(`wss://user:pass@a.example/v1/realtime?key=secret#part`, { dialect: 'legacy' });
    memory.remember('wss://b.example/v1/realtime', { dialect: 'unified' });
    await memory.settled();
    expect(createServerFactsFile(folder).recall(server).dialect).toBe('legacy');
    const text = readFileSync(`${folder}/servers.json`, 'utf8');
    expect(text).not.toMatch(/secret|user|pass|part/);
    expect(readdirSync(folder)).toEqual(['servers.json']);
  });

  it('keeps entries of another Parley, a hundred in all', async () => {
    const folder = workFolder()('state');
    const [one, two] = [createServerFactsFile(folder), createServerFactsFile(folder)];
    expect([one.recall(server), two.recall(server)]).toEqual([{}, {}]);
    one.remember(server, { dialect: 'legacy' });
    await one.settled();
    for (let nr = 0; nr < 99; nr += 1) two.remember(`ws://s${nr}/`, { dialect: 'unified' });
    await two.settled();
    expect(createServerFactsFile(folder).recall(server).dialect).toBe('legacy');
    two.remember('ws://s99/', { dialect: 'unified' });
    await two.settled();
    expect(createServerFactsFile(folder).recall(server).dialect).toBeUndefined();
  });

  it.each([
    ['empty', ''],
    ['cut', '{"version":2,"servers":[{"server":"wss://a.exa'],
    ['a list', '[]'],
    ['of another form', '{"servers":{"wss://a.example/v1/realtime":"legacy"}}'],
    [
      'with odd entries',
      `{"servers":[null,7,{"server":7,"dialect":"legacy"},{"server":"${server}","dialect":"x"}]}`,
    ],
    ['far too large', `{"servers":[{"server":"${server}","dialect":"legacy"}]}${' '.repeat(6e5)}`],
  ])('counts as empty and is overwritten if it is %s', async (_name, text) => {
    const folder = workFolder()('state');
    mkdirSync(folder);
    writeFileSync(`${folder}/servers.json`, text);
    const memory = createServerFactsFile(folder);
    expect(memory.recall(server).dialect).toBeUndefined();
    memory.remember(server, { dialect: 'unified' });
    await memory.settled();
    expect(createServerFactsFile(folder).recall(server).dialect).toBe('unified');
  });

  it('keeps the token rates under the names in the stored file', async () => {
    const folder = workFolder()('state');
    mkdirSync(folder);
    const path = `${folder}/servers.json`;
    const entry = { server, memory: { restPerSecond: 14.3, pictureScale: 1.5 } };
    writeFileSync(path, JSON.stringify({ version: 2, servers: [entry] }));
    const memory = createServerFactsFile(folder);
    expect(memory.recall(server).costs).toEqual({ otherTokensPerSecond: 14.3, pictureScale: 1.5 });
    memory.remember(server, { dialect: 'legacy' });
    await memory.settled();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ servers: [entry] });
  });

  it('takes over the former dialects file and deletes it', async () => {
    const folder = workFolder()('state');
    mkdirSync(folder);
    const dialects = [{ server, dialect: 'legacy' }];
    writeFileSync(`${folder}/dialects.json`, JSON.stringify({ version: 1, dialects }));
    const memory = createServerFactsFile(folder);
    expect(memory.recall(server)).toEqual({ dialect: 'legacy' });
    memory.remember(server, { pace });
    await memory.settled();
    expect(createServerFactsFile(folder).recall(server)).toEqual({ dialect: 'legacy', pace });
    expect(readdirSync(folder)).toEqual(['servers.json']);
  });

  it.each([
    ['a text', { ...pace, maxMs: 'long' }],
    ['endless', { ...pace, typicalMs: 1e9 }],
    ['negative', { ...pace, spreadMs: -1 }],
  ])('ignores a pace that is %s, and keeps the dialect', (_what, odd) => {
    const folder = workFolder()('state');
    mkdirSync(folder);
    const servers = [{ server, dialect: 'legacy', pace: odd }];
    writeFileSync(`${folder}/servers.json`, JSON.stringify({ version: 2, servers }));
    expect(createServerFactsFile(folder).recall(server)).toEqual({ dialect: 'legacy' });
  });

  it('never fails if it cannot be read or written', async () => {
    const at = workFolder();
    writeFileSync(at('file'), '');
    mkdirSync(at('taken/servers.json'), { recursive: true });
    mkdirSync(at('closed'));
    chmodSync(at('closed'), 0o500);
    for (const folder of [at('file/state'), at('taken'), at('closed')]) {
      const memory = createServerFactsFile(folder);
      expect(memory.recall(server).dialect).toBeUndefined();
      memory.remember(server, { dialect: 'legacy' });
      await memory.settled();
      expect(memory.recall(server).dialect).toBe('legacy');
    }
    expect(readdirSync(at('taken'))).toEqual(['servers.json']);
  });
});
