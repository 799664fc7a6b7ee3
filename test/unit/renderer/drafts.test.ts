import { createAppContext } from '../../../renderer/app/app-context.ts';
import { applyNotice } from '../../../renderer/app/apply-notice.ts';
import type { Bridge } from '../../../renderer/app/bridge/ordered-bridge.ts';
import { currentDraft, emptyDraft } from '../../../renderer/chat/chat-ui-state.ts';
import type { ChatPatch } from '../../../shared/chat/chat-thread.ts';
import { appError, failure } from '../../../shared/errors/app-error.ts';
import type { RequestName } from '../../../shared/ipc/contract.ts';
import { successReply, fakeCapture } from '../../fakes/fake-bridge.ts';
import { answer, conversationOf, question } from '../../gallery/sample-talk.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deferred } from '../../fakes/promises.ts';

/** The app's chat actions over a fake core that accepts every request except those in `refused`. */
function openDrafts(refused: readonly RequestName[] = []) {
  const asked: { readonly name: RequestName; readonly input: unknown }[] = [];
  let media = 0;
  const bridge: Bridge = {
    request: (name, input) => {
      asked.push({ name, input });
      if (refused.includes(name)) return Promise.resolve(failure('noTalk'));
      const part = { type: 'image', media: `m${(media += 1)}` };
      const isAttached = name === 'attachFile' || name === 'attachClip';
      return Promise.resolve(successReply((isAttached ? { part } : undefined) as never));
    },
    onNotice: () => undefined,
    onConnection: () => undefined,
  };
  const app = createAppContext({ bridge, capture: fakeCapture().capture, now: () => 0 });
  const { store, actions } = app;
  const show = (id: string) => {
    const conversation = { ...conversationOf([question('q1', 'Hm'), answer('a1', 'Yes')]), id };
    const { title, updatedAt, pinned } = conversation;
    const list = [{ id, title, updatedAt, pinned }];
    const { chat } = store.getState();
    store.setState({ chat: { ...chat, conversation, list: [...chat.list, ...list] } });
  };
  /** Applies a notice about the open conversation. */
  const applyPatch = (payload: ChatPatch) => {
    store.setState(applyNotice(store.getState(), { name: 'chatPatch', payload }, 0));
  };
  const begin = (id: string) => {
    applyPatch({ kind: 'replaced', conversation: { ...conversationOf([]), id } });
  };
  return {
    show,
    applyPatch,
    begin,
    chat: () => store.getState().chat,
    draft: () => currentDraft(store.getState().chat),
    actions: actions.chat,
    quick: actions.quick,
    problem: () => store.getState().problem?.code,
    asked: (name: RequestName) =>
      asked.filter((request) => request.name === name).map(({ input }) => input),
  };
}

const file = (name: string, size: number, read: () => Promise<ArrayBuffer> = empty) => ({
  name,
  size,
  arrayBuffer: read,
});
const empty = () => Promise.resolve(new ArrayBuffer(4));

const mustNotRead = () => {
  throw new Error('This file must not be read.');
};

describe('a draft', () => {
  it('belongs to its conversation', () => {
    const { actions, draft, show } = openDrafts();
    actions.write('For a new one');
    show('one');
    expect(draft().text).toBe('');
    actions.write('For one');
    show('two');
    expect(draft().text).toBe('');
    show('one');
    expect(draft().text).toBe('For one');
  });

  it('is sent once despite a double click', async () => {
    const { actions, draft, asked, show } = openDrafts();
    show('one');
    actions.write('Hello');
    await actions.attachFiles([file('a.png', 4)]);
    await Promise.all([actions.send(), actions.send()]);
    expect(asked('sendChat')).toEqual([
      {
        chat: 'one',
        parts: [
          { type: 'text', text: 'Hello' },
          { type: 'image', media: 'm1' },
        ],
      },
    ]);
    expect(draft()).toEqual(emptyDraft);
  });

  it('stays in the field while another message is being sent', async () => {
    const { actions, draft, asked, show } = openDrafts();
    show('one');
    actions.write('First');
    const first = actions.send();
    actions.write('Second');
    await Promise.all([actions.send(), first]);
    expect(asked('sendChat')).toHaveLength(1);
    expect(draft().text).toBe('Second');
  });

  it('returns to the field if sending fails, before the text typed meanwhile', async () => {
    const { actions, draft, chat, show } = openDrafts(['sendChat']);
    show('one');
    actions.write('Hello');
    const sending = actions.send();
    actions.write(' there');
    await sending;
    expect(draft().text).toBe('Hello there');
    expect(chat().notes).toEqual([{ kind: 'failure', error: appError('noTalk') }]);
  });

  it('takes along the notes about its files, unless sending fails', async () => {
    const { actions, chat, show } = openDrafts(['attachFile']);
    show('one');
    const ended = { kind: 'clipStopped' } as const;
    actions.note(ended);
    await actions.attachFiles([file('t.txt', 4)]);
    const refused = { kind: 'failure', error: appError('noTalk'), name: 't.txt' } as const;
    expect(chat().notes).toEqual([ended, refused]);
    actions.write('Look');
    const sending = actions.send();
    await actions.attachFiles([file('next.txt', 4)]);
    await sending;
    expect(chat().notes).toEqual([ended, { ...refused, name: 'next.txt' }]);

    const failing = openDrafts(['attachFile', 'sendChat']);
    await failing.actions.attachFiles([file('t.txt', 4)]);
    failing.actions.write('Look');
    await failing.actions.send();
    expect(failing.chat().notes).toContainEqual(refused);
  });

  it('keeps the passages that the user left out, for its own message only', async () => {
    const { actions, asked, show } = openDrafts();
    show('one');
    actions.write('Where was that?');
    actions.leaveOutPassage({ kind: 'talk', id: 'secret' });
    show('two');
    actions.write('Hello');
    await actions.send();
    show('one');
    await actions.send();
    expect(asked('sendChat')).toMatchObject([
      { chat: 'two', parts: [{ text: 'Hello' }] },
      { chat: 'one', leaveOut: [{ kind: 'talk', id: 'secret' }] },
    ]);
    expect(asked('sendChat')[0]).not.toHaveProperty('leaveOut');
  });

  it('stays in the field when its conversation gets its first message', async () => {
    const { actions, draft, chat, begin, applyPatch } = openDrafts();
    begin('one');
    actions.write('Hello');
    const sending = actions.send();
    actions.write('And');
    const read = deferred();
    const attaching = actions.attachFiles([file('a.png', 4, () => read.promise.then(empty))]);
    applyPatch({ kind: 'added', turn: question('q1', 'Hello') });
    expect(draft()).toMatchObject({ text: 'And', reading: 1 });
    read.resolve();
    await Promise.all([sending, attaching]);
    expect(draft()).toMatchObject({ text: 'And', reading: 0, attached: [{ name: 'a.png' }] });
    expect(Object.keys(chat().drafts)).toEqual(['one']);
    applyPatch({ kind: 'replaced', conversation: { ...conversationOf([]), id: 'one' } });
    expect(draft().text).toBe('And');
  });

  it('stays in the field if it was begun before the conversation was loaded', () => {
    const { actions, draft, applyPatch } = openDrafts();
    actions.write('Already');
    const conversation = { ...conversationOf([question('q1', 'Hm')]), id: 'one' };
    applyPatch({ kind: 'replaced', conversation });
    expect(draft().text).toBe('Already');
  });

  it('gets its files even if another conversation was opened meanwhile', async () => {
    const { actions, chat, show } = openDrafts();
    show('one');
    const read = deferred();
    const attaching = actions.attachFiles([file('a.png', 4, () => read.promise.then(empty))]);
    show('two');
    read.resolve();
    await attaching;
    expect(chat().drafts['one']).toMatchObject({ reading: 0, attached: [{ name: 'a.png' }] });
  });

  it.each([
    ['bytes', '字', 300_001],
    ['escaped characters', '"', 450_001],
  ])('is not sent when it has too many %s for one request', async (_what, character, count) => {
    const { actions, draft, asked, chat } = openDrafts();
    actions.write(character.repeat(count));
    await actions.send();
    expect(asked('sendChat')).toEqual([]);
    expect(chat().notes).toEqual([{ kind: 'tooLong' }]);
    expect(draft().text).toHaveLength(count);
  });

  it('is kept in the small window when it is too long, with an error until it is shorter', async () => {
    const { quick, asked, problem } = openDrafts();
    expect(await quick.send('x'.repeat(100_001))).toBe(false);
    expect([asked('askQuick'), problem()]).toEqual([[], 'cursorQuestionLong']);
    expect(await quick.send('x'.repeat(100_000))).toBe(true);
    expect(problem()).toBeUndefined();
  });

  it('refuses a file by its size, without reading any of it', async () => {
    const { actions, chat, asked } = openDrafts();
    await actions.attachFiles([
      file('film.mkv', 2_000_000_001, mustNotRead),
      file('hour.wav', 635_000_000, mustNotRead),
    ]);
    expect(asked('attachFile')).toEqual([]);
    expect(chat().notes).toEqual([
      { kind: 'pictureTooLarge', name: 'film.mkv', size: 2001, limit: 50 },
      { kind: 'soundTooLarge', name: 'hour.wav', size: 635, limit: 120 },
    ]);
  });

  it('accepts at most 16 files and no folder', async () => {
    const { actions, chat, draft } = openDrafts();
    await actions.attachFiles([file('folder', 4, () => Promise.reject(new Error('a folder')))]);
    expect(chat().notes).toEqual([{ kind: 'unreadable', name: 'folder' }]);
    await actions.attachFiles(Array.from({ length: 17 }, (_, n) => file(`${n}.png`, 4)));
    expect(draft().attached).toHaveLength(16);
    expect(chat().notes).toContainEqual({ kind: 'tooMany', limit: 16 });
  });
});

describe('a message that is sent while its files are read', () => {
  /** Two files; the first is read until the test resolves it. */
  function startReading() {
    const opened = openDrafts();
    opened.show('one');
    const first = deferred();
    opened.actions.write('Look');
    const attaching = opened.actions.attachFiles([
      file('a.png', 4, () => first.promise.then(empty)),
      file('b.png', 4),
    ]);
    return { ...opened, first, attaching };
  }

  it('is sent once with all files as soon as they are read', async () => {
    const { actions, draft, asked, first, attaching } = startReading();
    await Promise.all([actions.send(), actions.send()]);
    expect(draft()).toMatchObject({ text: 'Look', reading: 2, sendWhenRead: true });
    first.resolve();
    await attaching;
    expect(asked('sendChat')).toEqual([
      {
        chat: 'one',
        parts: [
          { type: 'text', text: 'Look' },
          { type: 'image', media: 'm1' },
          { type: 'image', media: 'm2' },
        ],
      },
    ]);
    expect(draft()).toEqual(emptyDraft);
  });

  it('is not sent if a file fails, if the user types on, or if another conversation opens', async () => {
    for (const meanwhile of ['broken', 'written', 'gone'] as const) {
      const { actions, show, asked, first, attaching } = startReading();
      await actions.send();
      if (meanwhile === 'written') actions.write('Look at');
      if (meanwhile === 'gone') {
        show('two');
        actions.write('For two');
      }
      if (meanwhile === 'broken') first.reject(new Error('It went away.'));
      else first.resolve();
      await attaching;
      expect(asked('sendChat'), meanwhile).toEqual([]);
    }
  });
});

describe('an edited message', () => {
  it('stays open when the core refuses it', async () => {
    const { actions, chat, asked, show } = openDrafts(['editChat']);
    show('one');
    actions.setEdit('q1', 'Why?');
    await actions.sendEdit('q1');
    expect(asked('editChat')).toEqual([{ turn: 'q1', parts: [{ type: 'text', text: 'Why?' }] }]);
    expect(chat().edits).toEqual({ q1: 'Why?' });
  });
});

describe('a recording', () => {
  it('is started and attached only once despite double clicks', async () => {
    const { actions, draft, asked } = openDrafts();
    await Promise.all([actions.recordClip(), actions.recordClip()]);
    expect(asked('recordClip')).toHaveLength(1);
    await Promise.all([actions.attachClip('Recording'), actions.attachClip('Recording')]);
    expect(asked('attachClip')).toHaveLength(1);
    expect(draft().attached).toHaveLength(1);
  });

  it('is not attached if it is cancelled meanwhile, even if another one has begun', async () => {
    const { actions, chat, draft, asked } = openDrafts();
    await actions.recordClip();
    const attaching = actions.attachClip('Recording');
    await Promise.all([actions.cancelClip(), actions.recordClip(), attaching]);
    expect(draft().attached).toEqual([]);
    expect(asked('forgetAttachment')).toHaveLength(1);
    expect(chat().clip).toBe('recording');
  });

  it('is dropped with the connection, with a note', async () => {
    const { actions, chat } = openDrafts();
    actions.dropClip();
    expect(chat().notes).toEqual([]);
    await actions.recordClip();
    actions.dropClip();
    expect(chat()).toMatchObject({ clip: 'none', notes: [{ kind: 'clipStopped' }] });
  });
});

describe('the chat search', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it('runs once after typing pauses, and again after the list changed', async () => {
    const { actions, asked } = openDrafts();
    for (const query of ['r', 'ri', 'river']) actions.search(query);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked('searchChats')).toEqual([{ query: 'river' }]);
    for (let change = 0; change < 3; change += 1) actions.searchAgain();
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked('searchChats')).toHaveLength(2);
    actions.search(' ');
    actions.searchAgain();
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked('searchChats')).toHaveLength(2);
  });
});
