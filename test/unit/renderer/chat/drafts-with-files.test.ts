import { describe, expect, it } from 'vitest';
import { deferred } from '../../../fakes/deferred.ts';
import { empty, file, openDrafts } from './open-drafts.ts';

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
    expect(draft()).toEqual({ text: '', attached: [], reading: 0, sendWhenRead: false });
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
  it('is started once and attached once despite double clicks', async () => {
    const { actions, draft, asked } = openDrafts();
    await Promise.all([actions.recordClip(), actions.recordClip()]);
    expect(asked('recordClip')).toHaveLength(1);
    await Promise.all([actions.attachClip('Recording'), actions.attachClip('Recording')]);
    expect(asked('attachClip')).toHaveLength(1);
    expect(draft().attached).toHaveLength(1);
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
