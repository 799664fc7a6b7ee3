import { describe, expect, it } from 'vitest';
import { RecentTapeController } from '../../../../../electron/recordings/record/recent-tape-controller.ts';
import { done, failure } from '../../../../../shared/errors/app-error.ts';
import { header } from '../tape/recorder-harness.ts';

function openController(holdRecent = true) {
  const written: string[] = [];
  const changes: unknown[] = [];
  const recorded: string[] = [];
  let closed = false;
  let full = false;
  const tapes = new RecentTapeController({
    folder: {
      path: '/tapes',
      make: () => Promise.resolve(done),
      names: () => Promise.resolve({ ok: true, value: written }),
    },
    openBuffer: ({ sound, saved }) => ({
      recorder: {
        record: ({ dir }) =>
          recorded.push(`${dir} in ${sound}, ${saved === true ? 'saved' : 'not saved'}`),
        countAnswer: () => undefined,
        addSound: () => undefined,
        close: () => {
          closed = true;
          return Promise.resolve(done);
        },
      },
      writeTo: (folder) => {
        if (full) return Promise.resolve(failure('diskFull', { path: folder }));
        written.push(folder.slice('/tapes/'.length));
        return Promise.resolve({ ok: true, value: { seconds: 118 } });
      },
    }),
    privacy: () => ({ holdRecent }),
    onChange: (recent) => changes.push(recent),
  });
  return {
    tapes,
    written,
    changes,
    recorded,
    isClosed: () => closed,
    fill: () => {
      full = true;
    },
  };
}

describe('the last two minutes of a running talk', () => {
  it('are not buffered if the user has turned that off, and saving fails with an error', async () => {
    const { tapes, changes } = openController(false);
    expect(tapes.begin('now', header)).toBeUndefined();
    expect(await tapes.keep()).toMatchObject({ ok: false, error: { code: 'recentNotHeld' } });
    expect(changes).toEqual([]);
  });

  it('are saved under the name of the talk, and later again under a numbered name', async () => {
    const { tapes, written, changes, recorded } = openController();
    tapes.begin('now', header)?.record({ dir: 'open', connection: 1 });
    expect(recorded).toEqual(['open in pcm16, saved']);
    expect(written).toEqual([]);
    // Pressing the key twice saves one tape.
    expect(await Promise.all([tapes.keep(), tapes.keep()])).toEqual([done, done]);
    expect(await tapes.keep()).toEqual(done);
    expect(written).toEqual(['now', 'now-2']);
    expect(changes).toEqual([
      { kind: 'inMemory' },
      { kind: 'stored', path: '/tapes/now', seconds: 118 },
      { kind: 'stored', path: '/tapes/now-2', seconds: 118 },
    ]);
  });

  it('stay buffered after a failed save', async () => {
    const { tapes, changes, fill } = openController();
    tapes.begin('now', header);
    fill();
    expect(await tapes.keep()).toMatchObject({ ok: false, error: { code: 'diskFull' } });
    expect(changes).toEqual([{ kind: 'inMemory' }]);
  });

  it('are discarded when their talk is left, and not when another is', async () => {
    const { tapes, changes, isClosed } = openController();
    const before = tapes.begin('before', header);
    const now = tapes.begin('now', header);
    expect(before).not.toBe(now);
    await tapes.discard('before');
    expect(isClosed()).toBe(false);
    await tapes.discard('now');
    expect(isClosed()).toBe(true);
    expect(changes.at(-1)).toBeUndefined();
    expect(await tapes.keep()).toMatchObject({ error: { code: 'recentNotHeld' } });
  });

  it('are discarded when all recordings are deleted', async () => {
    const { tapes, isClosed, changes } = openController();
    tapes.begin('talk', header);
    await tapes.forget();
    expect(isClosed()).toBe(true);
    expect(changes.at(-1)).toBeUndefined();
    expect(await tapes.keep()).toEqual(failure('recentNotHeld'));
  });
});
