import { describe, expect, it } from 'vitest';
import { appError, failure } from '../../../../../shared/errors/app-error.ts';
import { storedSettingsFallback } from '../../../../../shared/settings/read-settings.ts';
import { defaultSettings } from '../../../../../shared/settings/settings.ts';
import { parley } from './settings-store-stage.ts';

describe('unreadable settings', () => {
  it.each(['{"captions": {"siz', '', '[]', '\u0000\u0000'])(
    'are set aside, reported, and not reported at the next start: %j',
    async (damaged) => {
      const first = parley(new Map([['settings.json', damaged]]));
      expect(first.get()).toEqual(storedSettingsFallback);
      const [problem] = first.problemsTold();
      expect(problem).toMatch(/all of them are at their defaults.*settings\.damaged-1\.json/);
      const path = 'settings.damaged-1.json';
      expect(first.problems()).toEqual([
        appError('putAside', { path }, { cause: appError('settingsUnread') }),
      ]);
      await first.settled();
      expect(first.disk.get('settings.damaged-1.json')).toBe(damaged);
      const second = parley(first.disk);
      expect(second.problems()).toEqual([]);
      // Existing settings mean that the first run is done.
      expect([first, second].map(({ get }) => get().firstRun.done)).toEqual([true, true]);
    },
  );

  it('are set aside for one bad field, before the rest is written', async () => {
    const text = JSON.stringify({ captions: { size: 1 }, appearance: { theme: 'dark' } });
    const { get, settled, problems, disk } = parley(new Map([['settings.json', text]]));
    expect(get().appearance.theme).toBe('dark');
    expect(problems()).toMatchObject([
      {
        code: 'putAside',
        facts: { path: 'settings.damaged-1.json' },
        cause: { code: 'settingsPartly', facts: { places: 'captions.size' } },
      },
    ]);
    await settled();
    expect(disk.get('settings.damaged-1.json')).toBe(text);
    expect(parley(disk).get().appearance.theme).toBe('dark');
  });

  it('are restored from the copy', async () => {
    const first = parley();
    first.change({ captions: { size: 40 }, appearance: { theme: 'dark' } });
    await first.settled();
    first.disk.set('settings.json', '{"captions": {"siz');
    const second = parley(first.disk);
    expect(second.get()).toMatchObject({ captions: { size: 40 }, appearance: { theme: 'dark' } });
    expect(second.problems()).toMatchObject([
      { code: 'putAside', cause: { code: 'settingsUnreadRestored' } },
    ]);
    await second.settled();
    first.disk.set('settings.json', '{"captions": {"size": 1}, "appearance": {"theme": "light"}}');
    const third = parley(first.disk);
    expect(third.get()).toMatchObject({ captions: { size: 40 }, appearance: { theme: 'light' } });
    expect(third.problems()).toMatchObject([
      { cause: { code: 'settingsPartlyRestored', facts: { places: 'captions.size' } } },
    ]);
    await third.settled();
    expect(parley(first.disk).problems()).toEqual([]);
  });

  it('are the defaults if the copy is damaged too, or the file was removed', async () => {
    const damaged = parley(
      new Map([
        ['settings.json', '{'],
        ['settings.last-good.json', '['],
      ]),
    );
    expect(damaged.get()).toEqual(storedSettingsFallback);
    expect(damaged.problems()).toMatchObject([{ cause: { code: 'settingsUnread' } }]);
    const { disk, change, settled } = parley();
    change({ captions: { size: 40 } });
    await settled();
    disk.delete('settings.json');
    expect(parley(disk).get()).toEqual(defaultSettings);
  });

  it('have a copy even if an older version wrote them', async () => {
    const first = parley(new Map([['settings.json', '{"captions": {"size": 40}}']]));
    first.get();
    await first.settled();
    first.disk.set('settings.json', '');
    expect(parley(first.disk).get().captions.size).toBe(40);
  });

  it('can be read by listeners of the report', () => {
    const { listen, get, file } = parley();
    file.readFailure = failure('noPermission', { path: 'settings.json' });
    const seen: unknown[] = [];
    listen(() => seen.push(get()));
    get();
    expect(seen).toEqual([storedSettingsFallback]);
  });
});

describe('settings of a newer version', () => {
  const newer = JSON.stringify({ version: 9, captions: { size: 40, glow: true }, weather: 'fine' });

  it('apply as far as known, and their file is never overwritten', async () => {
    const { get, change, settled, disk, problems, problemsTold } = parley(
      new Map([['settings.json', newer]]),
    );
    expect(get().captions.size).toBe(40);
    expect(problems()).toEqual([appError('leftToNewer', {}, { cause: appError('settingsNewer') })]);
    change({ captions: { size: 30 } });
    change({ vision: { slices: 4 } });
    await settled();
    expect([get().captions.size, get().vision.slices]).toEqual([30, 4]);
    expect([...disk]).toEqual([['settings.json', newer]]);
    expect(problemsTold()).toHaveLength(1);
  });

  it('are left alone even when a newer version writes them during this run', async () => {
    const { get, change, settled, disk, over, problems, stored } = parley();
    change({ captions: { size: 30 } });
    await settled();
    disk.set('settings.json', newer);
    change({ vision: { slices: 4 } });
    await settled();
    expect(disk.get('settings.json')).toBe(newer);
    expect(problems()).toMatchObject([{ code: 'leftToNewer' }]);
    disk.set('settings.json', '{"version": 1, "appearance": {"theme": "dark"}}');
    change({ captions: { size: 31 } });
    await settled();
    expect(stored()).toMatchObject({ captions: { size: 31 }, appearance: { theme: 'dark' } });
    expect([over(), problems(), get().vision.slices]).toEqual([['leftToNewer'], [], 4]);
  });
});

describe('a full disk', () => {
  it('is reported once, and the settings are written when the disk has space', async () => {
    const { change, get, pass, file, problemsTold, stored, settled } = parley();
    file.writeFailure = failure('diskFull', { path: 'settings.json' });
    change({ captions: { size: 30 } });
    await pass(400);
    change({ vision: { slices: 4 } });
    await pass(400);
    await settled();
    expect(problemsTold()).toEqual([
      'settings.json cannot be written: the disk is full. Your changes last until Parley quits.',
    ]);
    expect([get().captions.size, get().vision.slices, stored()]).toEqual([30, 4, null]);
    file.writeFailure = undefined;
    await settled();
    expect(stored()).toMatchObject({ captions: { size: 30 }, vision: { slices: 4 } });
    file.writeFailure = failure('diskFull', { path: 'settings.json' });
    change({ vision: { slices: 5 } });
    await settled();
    expect(problemsTold()).toHaveLength(2);
  });

  it('is over once the disk has space, and its report is withdrawn', async () => {
    const { change, pass, file, over, problems, stored } = parley();
    file.writeFailure = failure('diskFull', { path: 'settings.json' });
    change({ captions: { size: 30 } });
    await pass(20_000);
    expect([over(), problems()]).toMatchObject([[], [{ code: 'changesNotStored' }]]);
    file.writeFailure = undefined;
    await pass(20_000);
    expect([over(), problems()]).toEqual([['changesNotStored'], []]);
    expect(stored()).toMatchObject({ captions: { size: 30 } });
    const { writes } = file;
    await pass(60_000);
    expect(file.writes).toBe(writes);
  });
});
