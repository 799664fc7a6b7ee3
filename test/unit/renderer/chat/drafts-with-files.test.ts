import { describe, expect, it } from 'vitest';
import { deferred } from '../../../fakes/deferred.ts';
import { empty, file, openDrafts } from './open-drafts.ts';

describe('a message that is sent while its files are read', () => {
  /** Two files, of which the first takes until it is let go. */
  function reading() {
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

  it('goes with all of them as soon as they are read, once', async () => {
    const { actions, draft, asked, first, attaching } = reading();
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
    expect(draft()).toEqual({ text: '', attached: [], reading: 0, sendWhenRead: false });
  });

  it('stays where one of them cannot be read, where more is written, and where one has gone', async () => {
    for (const meanwhile of ['broken', 'written', 'gone'] as const) {
      const { actions, show, asked, first, attaching } = reading();
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

describe('a message that is written anew', () => {
  it('keeps its pictures, and stays open when it is refused', async () => {
    const { actions, chat, asked, show } = openDrafts(['editChat']);
    show('one');
    actions.setEdit('q1', 'Why?');
    await actions.sendEdit('q1');
    expect(asked('editChat')).toEqual([{ turn: 'q1', parts: [{ type: 'text', text: 'Why?' }] }]);
    expect(chat().edits).toEqual({ q1: 'Why?' });
  });
});

describe('a recording', () => {
  it('is begun once, and attached once', async () => {
    const { actions, draft, asked } = openDrafts();
    await Promise.all([actions.recordClip(), actions.recordClip()]);
    expect(asked('recordClip')).toHaveLength(1);
    await Promise.all([actions.attachClip('Recording'), actions.attachClip('Recording')]);
    expect(asked('attachClip')).toHaveLength(1);
    expect(draft().attached).toHaveLength(1);
  });

  it('is given up with the connection, and that is said', async () => {
    const { actions, chat } = openDrafts();
    actions.dropClip();
    expect(chat().notes).toEqual([]);
    await actions.recordClip();
    actions.dropClip();
    expect(chat()).toMatchObject({ clip: 'none', notes: [{ kind: 'clipStopped' }] });
  });
});
