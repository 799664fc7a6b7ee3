import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { NoticeBoard } from '../../../../../../electron/app/ipc/request-dispatcher.ts';
import { historyCommand } from '../../../../../../electron/hosts/terminal/commands/history-command.ts';
import { openHistoryIndex } from '../../../../../../electron/platform/history/history-index-thread.ts';
import { chatHistorySource } from '../../../../../../electron/recordings/history/chat-history-source.ts';
import { HistoryEditor } from '../../../../../../electron/recordings/history/history-library.ts';
import {
  serializeTalk,
  TalkSource,
  type ReadTapeFacts,
  TapedTalkSource,
} from '../../../../../../electron/recordings/history/talk-source.ts';
import { FakeChatStore, FakeTalkStore } from '../../../../../fakes/fake-stores.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { fakeTerminal } from '../../../../../fakes/fake-terminal.ts';
import { openHistoryOf } from '../../../../../fakes/history-library.ts';
import { workFolder } from '../../../../../fakes/work-folder.ts';

const talk = (begunAt: number, text: string): string =>
  serializeTalk({
    title: '',
    pinned: false,
    mode: 'audio',
    server: { name: 'Studio' },
    begunAt,
    savedAt: begunAt + 1000,
    turns: [{ by: 'parley', at: 0, text, heard: text.length }],
    events: [],
    pictures: [],
  });

const unexpected = (): Promise<never> => Promise.reject(new Error('unexpected call'));

/** `parley history` with two talks and no chats. */
async function openHistory(taped: readonly string[] = []) {
  const store = new FakeTalkStore();
  await store.write('one', talk(0, 'Water boils\u001b[2J at 100 degrees.'));
  await store.write('two', talk(86_400_000, '谁知道黄河的源头在哪里？'));
  const tapes = new Set(taped);
  const readFacts: ReadTapeFacts = () =>
    Promise.resolve({
      ok: true,
      value: { mode: 'audio', endpoint: 'Studio', recordedAt: 0, seconds: 1, cut: false },
    });
  const talks = new TapedTalkSource(
    new TalkSource(store),
    {
      list: () =>
        Promise.resolve({
          ok: true,
          value: [...tapes].map((name) => ({ name, bytes: 1, changedAt: 1 })),
        }),
      find: (name) =>
        Promise.resolve({
          ok: true,
          value: tapes.has(name) ? { name, bytes: 1, changedAt: 1 } : undefined,
        }),
      remove: (name) => {
        tapes.delete(name);
        return Promise.resolve({ ok: true, value: undefined });
      },
      pathOf: (name) => name,
    },
    readFacts,
  );
  const chats = chatHistorySource({
    store: new FakeChatStore(),
    onDamaged: unexpected,
    path: '/chats',
  });
  const index = openHistoryIndex(workFolder()('history'), undefined);
  onTestFinished(() => index.close());
  const clock = new FakeClock();
  const notices = new NoticeBoard();
  const { sync, library } = openHistoryOf([talks, chats], index, {
    clock,
    reportError: (error) => notices.post('talkTrouble', error),
    tapes,
    wallNow: () => 1e12,
  });
  const historyEditor = new HistoryEditor(
    { talk: talks, chat: { rename: unexpected, pin: unexpected, remove: unexpected } },
    sync,
  );
  const run = async (...args: readonly string[]) => {
    const { terminal, written } = fakeTerminal();
    try {
      const code = await historyCommand.run(args, terminal, () => ({
        history: library,
        historyEditor,
        notices,
      }));
      return { code, ...written };
    } catch (error) {
      return { out: written.out, error: error instanceof Error ? error.message : '' };
    }
  };
  return { run, store, tapes, library, talks, sync };
}

describe('parley history', () => {
  it('lists, finds, shows and deletes entries at local times, without control characters', async () => {
    vi.stubEnv('TZ', 'Asia/Shanghai');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { run, store } = await openHistory();
    expect(await run()).toEqual({
      code: 0,
      err: '',
      out: 'two  1970-01-02 08:00  talk  谁知道黄河的源头在哪里？\none  1970-01-01 08:00  talk  Water boils[2J at 100 degrees.\n',
    });
    expect((await run('--search', '黄河')).out).toBe(
      'two  1970-01-02 08:00  talk  谁知道黄河的源头在哪里？\n    谁知道黄河的源头在哪里？\n',
    );
    const [line = ''] = (await run('--json', '--count', '1')).out.split('\n');
    expect(JSON.parse(line)).toMatchObject({ kind: 'talk', id: 'two', seconds: 1 });
    expect((await run('--show', 'one')).out).toMatch(/\n\nWater boils\[2J at 100 degrees\.\n$/u);
    expect(await run('--delete', 'one')).toEqual({ code: 0, out: '', err: '' });
    expect([...store.stored.keys()]).toEqual(['two']);
    expect((await run('--search', 'water')).out).toBe('');
  });

  it('lists an entry in one line, although its title has line breaks', async () => {
    const { run, store } = await openHistory();
    await store.write('one', talk(0, 'Rivers:\ntwo  1970-01-02 08:00  talk  Nile'));
    const { out } = await run();
    expect(out.trimEnd().split('\n')).toHaveLength(2);
    expect((await run('--search', 'nile')).out.trimEnd().split('\n')).toHaveLength(2);
  });

  it('says that it leaves out an entry that cannot be read', async () => {
    const { run, store } = await openHistory();
    await store.write('three', '{');
    expect(await run()).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^two .*\none .*\n$/) as string,
      err: expect.stringMatching(/three.*\n$/) as string,
    });
  });

  it('deletes a recording only with --with-recording', async () => {
    const { run, store, tapes } = await openHistory(['one', 'two']);
    expect(await run('--delete', 'one')).toEqual({ code: 0, out: '', err: '' });
    expect(await run('--delete', 'one')).toMatchObject({
      error: 'Only the recording of one is saved; add --with-recording to delete it.',
    });
    expect([...tapes]).toEqual(['one', 'two']);
    for (const id of ['one', 'two'])
      expect(await run('--delete', id, '--with-recording')).toEqual({ code: 0, out: '', err: '' });
    expect([[...tapes], [...store.stored.keys()]]).toEqual([[], []]);
    expect(await run('--with-recording')).toMatchObject({
      error: '--with-recording requires --delete.',
    });
  });

  it('refuses an unknown entry and options that exclude each other, in one sentence', async () => {
    const { run } = await openHistory();
    for (const option of ['--show', '--delete'])
      expect(await run(option, 'three')).toMatchObject({
        error: 'No talk or chat has the ID three.',
      });
    expect(await run('--delete', 'one', '--show', 'two')).toMatchObject({
      error: '--delete cannot be combined with --show or --search.',
    });
  });
});
