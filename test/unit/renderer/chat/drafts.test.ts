import { describe, expect, it } from 'vitest';
import { draftOf } from '../../../../renderer/store/chat-view.ts';
import { joinBridge } from '../../../../renderer/store/join-bridge.ts';
import type { Bridge } from '../../../../renderer/bridge/bridge.ts';
import { hearNotice } from '../../../../renderer/store/hear-notice.ts';
import type { ChatPatch } from '../../../../shared/chat/chat-patch.ts';
import type { RequestName } from '../../../../shared/ipc/contract.ts';
import { failure, success } from '../../../../shared/ipc/reply.ts';
import { fakeEye } from '../../../fakes/fake-bridge.ts';
import { promised } from '../../../fakes/promised.ts';
import { answer, conversationOf, question } from '../../../gallery/sample-chat.ts';

/** A core that takes what it is told, or refuses it, when the test says so. */
function open(refused: readonly RequestName[] = []) {
  const asked: { readonly name: RequestName; readonly input: unknown }[] = [];
  let media = 0;
  const bridge: Bridge = {
    request: (name, input) => {
      asked.push({ name, input });
      if (refused.includes(name)) return Promise.resolve(failure('refused', 'Not now.'));
      const part = { type: 'image', media: `m${(media += 1)}` };
      return Promise.resolve(success((name === 'attachFile' ? { part } : undefined) as never));
    },
    onNotice: () => undefined,
    onConnection: () => undefined,
  };
  const desk = joinBridge({ bridge, eye: fakeEye().eye, now: () => 0 });
  const { store, actions } = desk;
  const show = (id: string) => {
    const conversation = { ...conversationOf([question('q1', 'Hm'), answer('a1', 'Yes')]), id };
    const { title, createdAt, updatedAt, pinned } = conversation;
    const list = [{ id, title, createdAt, updatedAt, pinned }];
    const { chat } = store.view();
    store.change({ chat: { ...chat, conversation, list: [...chat.list, ...list] } });
  };
  /** What the core tells of the open conversation. */
  const hear = (payload: ChatPatch) => {
    const part = hearNotice(store.view(), { name: 'chatPatch', payload }, 0);
    if (part !== undefined) store.change(part);
  };
  const begin = (id: string) => {
    hear({ kind: 'replaced', conversation: { ...conversationOf([]), id } });
  };
  return {
    show,
    hear,
    begin,
    chat: () => store.view().chat,
    draft: () => draftOf(store.view().chat),
    doings: actions.chat,
    asked: (name: RequestName) =>
      asked.filter((one) => one.name === name).map(({ input }) => input),
  };
}

const file = (name: string, size: number, read: () => Promise<ArrayBuffer> = empty) => ({
  name,
  size,
  arrayBuffer: read,
});
const empty = () => Promise.resolve(new ArrayBuffer(4));
const mustNot = () => {
  throw new Error('This file must not be read.');
};

describe('a message that is being written', () => {
  it('waits in its own conversation, and a new one has another', () => {
    const { doings, draft, show } = open();
    doings.write('For a new one');
    show('one');
    expect(draft().text).toBe('');
    doings.write('For one');
    show('two');
    expect(draft().text).toBe('');
    show('one');
    expect(draft().text).toBe('For one');
  });

  it('is sent once, however often it is asked, and leaves the field free', async () => {
    const { doings, draft, asked, show } = open();
    show('one');
    doings.write('Hello');
    await doings.attachFiles([file('a.png', 4)]);
    await Promise.all([doings.send(), doings.send()]);
    expect(asked('sendChat')).toEqual([
      {
        parts: [
          { type: 'text', text: 'Hello' },
          { type: 'image', media: 'm1' },
        ],
      },
    ]);
    expect(draft()).toEqual({ text: '', attached: [], reading: 0, sendWhenRead: false });
  });

  it('waits while another is being handed over', async () => {
    const { doings, draft, asked, show } = open();
    show('one');
    doings.write('First');
    const first = doings.send();
    doings.write('Second');
    await Promise.all([doings.send(), first]);
    expect(asked('sendChat')).toHaveLength(1);
    expect(draft().text).toBe('Second');
  });

  it('comes back when it could not be sent, with what was written meanwhile', async () => {
    const { doings, draft, chat, show } = open(['sendChat']);
    show('one');
    doings.write('Hello');
    const sending = doings.send();
    doings.write(' there');
    await sending;
    expect(draft().text).toBe('Hello there');
    expect(chat().notes).toEqual([{ kind: 'said', sentence: 'Not now.' }]);
  });

  it('stays in the field when the message before it was the first of its conversation', async () => {
    const { doings, draft, chat, begin, hear } = open();
    begin('one');
    doings.write('Hello');
    const sending = doings.send();
    doings.write('And');
    const read = promised();
    const attaching = doings.attachFiles([file('a.png', 4, () => read.promise.then(empty))]);
    hear({ kind: 'added', turn: question('q1', 'Hello') });
    expect(draft()).toMatchObject({ text: 'And', reading: 1 });
    read.resolve();
    await Promise.all([sending, attaching]);
    expect(draft()).toMatchObject({ text: 'And', reading: 0, attached: [{ name: 'a.png' }] });
    expect(Object.keys(chat().drafts)).toEqual(['one']);
    hear({ kind: 'replaced', conversation: { ...conversationOf([]), id: 'one' } });
    expect(draft().text).toBe('And');
  });

  it('stays in the field when it was begun before the core had said what is open', () => {
    const { doings, draft, hear } = open();
    doings.write('Already');
    const conversation = { ...conversationOf([question('q1', 'Hm')]), id: 'one' };
    hear({ kind: 'replaced', conversation });
    expect(draft().text).toBe('Already');
  });

  it('gets its files also where another conversation is looked at by then', async () => {
    const { doings, chat, show } = open();
    show('one');
    const read = promised();
    const attaching = doings.attachFiles([file('a.png', 4, () => read.promise.then(empty))]);
    show('two');
    read.resolve();
    await attaching;
    expect(chat().drafts['one']).toMatchObject({ reading: 0, attached: [{ name: 'a.png' }] });
  });

  it('is not sent when it is too long for one request', async () => {
    const { doings, draft, asked, chat } = open();
    doings.write('字'.repeat(300_001));
    await doings.send();
    expect(asked('sendChat')).toEqual([]);
    expect(chat().notes).toEqual([{ kind: 'tooLong' }]);
    expect(draft().text).toHaveLength(300_001);
  });

  it('refuses a file by its size, without reading any of it', async () => {
    const { doings, chat, asked } = open();
    await doings.attachFiles([
      file('film.mkv', 2_000_000_001, mustNot),
      file('hour.wav', 635_000_000, mustNot),
    ]);
    expect(asked('attachFile')).toEqual([]);
    expect(chat().notes).toEqual([
      { kind: 'pictureTooLarge', name: 'film.mkv', size: 2001, most: 50 },
      { kind: 'soundTooLarge', name: 'hour.wav', size: 635, most: 120 },
    ]);
  });

  it('takes no folder, and no more than it can carry', async () => {
    const { doings, chat, draft } = open();
    await doings.attachFiles([file('folder', 4, () => Promise.reject(new Error('a folder')))]);
    expect(chat().notes).toEqual([{ kind: 'unreadable', name: 'folder' }]);
    await doings.attachFiles(Array.from({ length: 17 }, (_, n) => file(`${n}.png`, 4)));
    expect(draft().attached).toHaveLength(16);
    expect(chat().notes).toContainEqual({ kind: 'tooMany', most: 16 });
  });
});

describe('a message that is sent while its files are read', () => {
  /** Two files, of which the first takes until it is let go. */
  function reading() {
    const opened = open();
    opened.show('one');
    const first = promised();
    opened.doings.write('Look');
    const attaching = opened.doings.attachFiles([
      file('a.png', 4, () => first.promise.then(empty)),
      file('b.png', 4),
    ]);
    return { ...opened, first, attaching };
  }

  it('goes with all of them as soon as they are read, once', async () => {
    const { doings, draft, asked, first, attaching } = reading();
    await Promise.all([doings.send(), doings.send()]);
    expect(draft()).toMatchObject({ text: 'Look', reading: 2, sendWhenRead: true });
    first.resolve();
    await attaching;
    expect(asked('sendChat')).toEqual([
      {
        parts: [
          { type: 'text', text: 'Look' },
          { type: 'image', media: 'm1' },
          { type: 'image', media: 'm2' },
        ],
      },
    ]);
    expect(draft()).toEqual({ text: '', attached: [], reading: 0, sendWhenRead: false });
  });

  it('stays where one of them cannot be read, where more is written, and where one has gone', async () => {
    for (const meanwhile of ['broken', 'written', 'gone'] as const) {
      const { doings, show, asked, first, attaching } = reading();
      await doings.send();
      if (meanwhile === 'written') doings.write('Look at');
      if (meanwhile === 'gone') {
        show('two');
        doings.write('For two');
      }
      if (meanwhile === 'broken') first.reject(new Error('It went away.'));
      else first.resolve();
      await attaching;
      expect(asked('sendChat'), meanwhile).toEqual([]);
    }
  });
});

describe('a message that is written anew', () => {
  it('keeps its pictures, and stays open when it is refused', async () => {
    const { doings, chat, asked, show } = open(['editChat']);
    show('one');
    doings.setEdit('q1', 'Why?');
    await doings.sendEdit('q1');
    expect(asked('editChat')).toEqual([{ turn: 'q1', parts: [{ type: 'text', text: 'Why?' }] }]);
    expect(chat().edits).toEqual({ q1: 'Why?' });
  });
});

describe('a recording', () => {
  it('is begun once, and attached once', async () => {
    const { doings, draft, asked } = open();
    await Promise.all([doings.recordClip(), doings.recordClip()]);
    expect(asked('recordClip')).toHaveLength(1);
    await Promise.all([doings.attachClip('Recording'), doings.attachClip('Recording')]);
    expect(asked('attachClip')).toHaveLength(1);
    expect(draft().attached).toHaveLength(1);
  });

  it('is given up with the connection, and that is said', async () => {
    const { doings, chat } = open();
    doings.lost();
    expect(chat().notes).toEqual([]);
    await doings.recordClip();
    doings.lost();
    expect(chat()).toMatchObject({ clip: 'none', notes: [{ kind: 'clipStopped' }] });
  });
});
