import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ChatStore, StoredMedia } from '../../electron/chat/stored-chat.ts';
import { createChatStore } from '../../electron/platform/files/chat-and-talk-store.ts';
import { done, failure } from '../../shared/errors/app-error.ts';
import { FakeChatStore } from '../fakes/fake-chat-store.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';

const picture = Uint8Array.of(1, 2, 3);
const media = (name: string, bytes: Uint8Array | undefined = picture): StoredMedia => ({
  name,
  bytes: () => bytes,
});
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
  it('is empty at first', async () => {
    expect(await listTexts(make())).toEqual([]);
  });

  it('returns the last text written under each id', async () => {
    const store = make();
    expect(await store.write('a1', 'one', [])).toEqual(done);
    await store.write('b2', 'two 你好', []);
    await store.write('a1', 'one again', []);
    expect(await listTexts(store)).toEqual([
      ['a1', 'one again'],
      ['b2', 'two 你好'],
    ]);
    expect(await store.read('c3')).toMatchObject({ ok: false, error: { code: 'fileGone' } });
  });

  it('stores media by name, writes each once, and deletes those no longer named', async () => {
    const store = make();
    await store.write('a', 'x', [media('p.jpg'), media('s.wav', Uint8Array.of(9))]);
    await store.write('a', 'y', [unreadable('p.jpg')]);
    expect(await store.readMedia('a', 'p.jpg')).toEqual({ ok: true, value: picture });
    expect(await store.readMedia('a', 's.wav')).toMatchObject({ ok: false });
    expect(await store.readMedia('b', 'p.jpg')).toMatchObject({ ok: false });
  });

  it('stores the text without a file whose bytes are gone', async () => {
    const store = make();
    expect(await store.write('a', 'x', [{ name: 'p.jpg', bytes: () => undefined }])).toMatchObject({
      ok: true,
    });
    expect(await store.readMedia('a', 'p.jpg')).toMatchObject({ ok: false });
  });

  it('sets damaged chats aside repeatedly and no longer lists them', async () => {
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

  it('removes one chat or all, even missing ones', async () => {
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

  it('keep the old text if the new one cannot be written whole', async () => {
    const at = workFolder();
    const store = createChatStore(at('state'));
    await store.write('a', 'old', []);
    expect(await store.write('a', 'new', [unreadable('p.jpg')])).toMatchObject({ ok: false });
    expect(await listTexts(store)).toEqual([['a', 'old']]);
  });

  it.runIf(existsSync('/dev/full'))(
    'fail with notFolder if the state folder is a file',
    async () => {
      const store = createChatStore('/dev/full');
      expect(await store.write('a', 'x', [])).toEqual(
        failure('notFolder', { path: '/dev/full/chats/a' }),
      );
    },
  );
});
