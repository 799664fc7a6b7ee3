import { describe, expect, it } from 'vitest';
import { SettingsStore } from '../../../../electron/settings/settings-store.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import { defaultSettings, type SettingsEvent } from '../../../../shared/settings/settings.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeStateFile } from '../../../fakes/fake-state-file.ts';
import { flushPromises } from '../../../fakes/promises.ts';
import { appError, failure } from '../../../../shared/errors/app-error.ts';
import { storedSettingsFallback } from '../../../../shared/settings/read-settings.ts';

/** Opens the settings as Parley does at its start. Stores with the same `disk` share their files. */
function openStore(disk = new Map<string, string>()) {
  const clock = new FakeClock();
  const file = new FakeStateFile(disk);
  const lastGood = new FakeStateFile(disk, 'settings.last-good');
  const store = new SettingsStore({ file, lastGood, clock });
  const events: SettingsEvent[] = [];
  store.listen((event) => events.push(event));
  return Object.assign(store, {
    clock,
    file,
    disk,
    errorMessages: () =>
      events.flatMap((event) =>
        event.kind === 'problem' ? [englishErrorMessage(event.error)] : [],
      ),
    withdrawn: () => events.flatMap((event) => (event.kind === 'problemOver' ? [event.code] : [])),
    changes: () => events.filter(({ kind }) => kind === 'changed').length,
    pass: async (milliseconds: number) => {
      clock.advance(milliseconds);
      await flushPromises();
    },
    stored: () => JSON.parse(disk.get('settings.json') ?? 'null') as Record<string, unknown> | null,
  });
}

describe('the settings', () => {
  it('are the defaults if there is no file, and are not read before the first use', async () => {
    const { get, settled, disk, file, problems } = openStore();
    file.readFailure = failure('noPermission', { path: 'settings.json' });
    await settled();
    file.readFailure = undefined;
    expect(get()).toEqual(defaultSettings);
    await settled();
    expect([disk.size, file.writes, problems()]).toEqual([0, 0, []]);
  });

  it('are emitted to listeners until they unsubscribe', () => {
    const { change, get, listen } = openStore();
    const sizes: number[] = [];
    const stop = listen((event) => {
      if (event.kind === 'changed')
        sizes.push(event.before.captions.size, event.settings.captions.size);
    });
    change({ captions: { size: 30 } });
    stop();
    change({ captions: { size: 31 } });
    expect([sizes, get().captions.size]).toEqual([[28, 30], 31]);
  });

  it('are written a few times a second during many changes, and once after them', async () => {
    const { change, pass, file, stored } = openStore();
    for (let step = 0; step < 50; step += 1) {
      change({ audio: { playbackVolume: step / 100 } });
      await pass(20);
    }
    expect(file.writes).toBe(3);
    await pass(1000);
    expect([file.writes, stored()?.['audio']]).toMatchObject([4, { playbackVolume: 0.49 }]);
  });

  it('are not written without a difference', async () => {
    const { change, settled, file, changes } = openStore();
    expect(change({ captions: { size: 28 } }).ok).toBe(true);
    await settled();
    expect([file.writes, changes()]).toEqual([0, 0]);
  });

  it('stay unchanged if a change is refused', async () => {
    const { change, get, settled, file } = openStore();
    const refused = change({ captions: { size: 3 }, vision: { rate: 2 } });
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'settingNotAllowed', facts: { place: 'captions.size' } },
    });
    await settled();
    expect([get(), file.writes]).toEqual([defaultSettings, 0]);
  });

  it('call their listeners after the first read', () => {
    const store = openStore();
    let calls = 0;
    store.whenLoaded(() => (calls += 1));
    expect(calls).toBe(0);
    store.get();
    store.get();
    expect(calls).toBe(1);
    store.whenLoaded(() => (calls += 1));
    expect(calls).toBe(2);
  });

  it('are reset by group', () => {
    const { change, reset, get } = openStore();
    change({ captions: { size: 40 }, assistant: { generation: { topK: 3 } } });
    expect(reset('assistant').ok).toBe(true);
    expect([get().assistant, get().captions.size]).toEqual([defaultSettings.assistant, 40]);
  });
});

describe('two Parleys on one machine', () => {
  it('keep each other’s changes, and emit them', async () => {
    const disk = new Map<string, string>();
    const [one, two] = [openStore(disk), openStore(disk)];
    one.get();
    two.get();
    one.change({ captions: { size: 30 } });
    two.change({ vision: { slices: 4 } });
    await one.settled();
    await two.settled();
    expect(one.stored()).toMatchObject({ captions: { size: 30 }, vision: { slices: 4 } });
    expect(two.get().captions.size).toBe(30);
    one.change({ appearance: { theme: 'dark' } });
    expect([one.get().vision.slices, one.changes()]).toEqual([4, 3]);
  });

  it('ignore a file that the other has damaged', async () => {
    const { change, disk, settled, stored } = openStore();
    change({ captions: { size: 30 } });
    await settled();
    disk.set('settings.json', '{"capt');
    change({ vision: { slices: 4 } });
    await settled();
    expect(stored()).toMatchObject({ captions: { size: 30 }, vision: { slices: 4 } });
  });

  it('keep a change after a failed write', async () => {
    const disk = new Map<string, string>();
    const [one, two] = [openStore(disk), openStore(disk)];
    one.file.writeFailure = failure('diskFull', { path: 'settings.json' });
    one.change({ captions: { size: 30 } });
    await one.settled();
    two.change({ vision: { slices: 4 } });
    await two.settled();
    one.file.writeFailure = undefined;
    one.file.whileWriting = () => {
      one.file.whileWriting = undefined;
      disk.set('settings.json', '{"appearance": {"theme": "dark"}}');
      one.change({ audio: { inputVolume: 2 } });
    };
    await one.settled();
    await one.settled();
    expect(one.stored()).toMatchObject({ captions: { size: 30 }, audio: { inputVolume: 2 } });
    expect(one.get().captions.size).toBe(30);
  });

  it('do not restore a value that the other has replaced', async () => {
    const disk = new Map<string, string>();
    const [one, two] = [openStore(disk), openStore(disk)];
    one.change({ captions: { size: 30 } });
    await one.settled();
    two.change({ captions: { size: 31 } });
    await two.settled();
    one.change({ vision: { slices: 4 } });
    expect(one.get().captions.size).toBe(31);
  });

  it('keep a change made during a write even if the other writes next', async () => {
    const { change, file, disk, get, pass, settled } = openStore();
    file.whileWriting = () => {
      file.whileWriting = undefined;
      change({ vision: { slices: 4 } });
    };
    change({ captions: { size: 30 } });
    await pass(300);
    disk.set('settings.json', '{"appearance": {"theme": "dark"}}');
    await settled();
    expect([get().vision.slices, get().appearance.theme]).toEqual([4, 'dark']);
  });
});

describe('unreadable settings', () => {
  it.each(['{"captions": {"siz', '', '[]', '\u0000\u0000'])(
    'are set aside, reported, and not reported at the next start: %j',
    async (damaged) => {
      const first = openStore(new Map([['settings.json', damaged]]));
      expect(first.get()).toEqual(storedSettingsFallback);
      const [problem] = first.errorMessages();
      expect(problem).toMatch(/all of them are at their defaults.*settings\.damaged-1\.json/);
      const path = 'settings.damaged-1.json';
      expect(first.problems()).toEqual([
        appError('putAside', { path }, { cause: appError('settingsUnread') }),
      ]);
      await first.settled();
      expect(first.disk.get('settings.damaged-1.json')).toBe(damaged);
      const second = openStore(first.disk);
      expect(second.problems()).toEqual([]);
      // Existing settings mean that the first run is done.
      expect([first, second].map(({ get }) => get().firstRun.done)).toEqual([true, true]);
    },
  );

  it('are restored from the last good copy', async () => {
    const first = openStore();
    first.change({ captions: { size: 40 }, appearance: { theme: 'dark' } });
    await first.settled();
    first.disk.set('settings.json', '{"captions": {"siz');
    const second = openStore(first.disk);
    expect(second.get()).toMatchObject({ captions: { size: 40 }, appearance: { theme: 'dark' } });
    expect(second.problems()).toMatchObject([
      { code: 'putAside', cause: { code: 'settingsUnreadRestored' } },
    ]);
    await second.settled();
    first.disk.set('settings.json', '{"captions": {"size": 1}, "appearance": {"theme": "light"}}');
    const third = openStore(first.disk);
    expect(third.get()).toMatchObject({ captions: { size: 40 }, appearance: { theme: 'light' } });
    expect(third.problems()).toMatchObject([
      { cause: { code: 'settingsPartlyRestored', facts: { places: 'captions.size' } } },
    ]);
    await third.settled();
    expect(openStore(first.disk).problems()).toEqual([]);
  });

  it('are the defaults if the copy is damaged too, or the file was removed', async () => {
    const damaged = openStore(
      new Map([
        ['settings.json', '{'],
        ['settings.last-good.json', '['],
      ]),
    );
    expect(damaged.get()).toEqual(storedSettingsFallback);
    expect(damaged.problems()).toMatchObject([{ cause: { code: 'settingsUnread' } }]);
    const { disk, change, settled } = openStore();
    change({ captions: { size: 40 } });
    await settled();
    disk.delete('settings.json');
    expect(openStore(disk).get()).toEqual(defaultSettings);
  });

  it('are restored from a copy even if an older version wrote them', async () => {
    const first = openStore(new Map([['settings.json', '{"captions": {"size": 40}}']]));
    first.get();
    await first.settled();
    first.disk.set('settings.json', '');
    expect(openStore(first.disk).get().captions.size).toBe(40);
  });

  it('can be read by a listener while the problem is reported', () => {
    const { listen, get, file, problems } = openStore();
    file.readFailure = failure('noPermission', { path: 'settings.json' });
    const seen: unknown[] = [];
    listen(() => seen.push(get()));
    get();
    expect(seen).toEqual([storedSettingsFallback]);
    expect(problems()).toMatchObject([
      {
        code: 'notPutAside',
        cause: { code: 'noPermission' },
        detail: expect.any(String) as string,
      },
    ]);
  });
});

describe('settings of a newer version', () => {
  const newer = JSON.stringify({ version: 9, captions: { size: 40, glow: true }, weather: 'fine' });

  it('apply as far as known, and their file is never overwritten', async () => {
    const files = [
      ['settings.json', newer],
      ['settings.last-good.json', '{"vision": {"slices": 7}}'],
    ] as const;
    const { get, change, settled, disk, problems, errorMessages } = openStore(new Map(files));
    expect([get().captions.size, get().vision.slices]).toEqual([40, 1]);
    expect(problems()).toEqual([appError('leftToNewer', {}, { cause: appError('settingsNewer') })]);
    change({ captions: { size: 30 } });
    change({ vision: { slices: 4 } });
    await settled();
    expect([get().captions.size, get().vision.slices]).toEqual([30, 4]);
    expect([...disk]).toEqual(files);
    expect(errorMessages()).toHaveLength(1);
  });

  it('are not overwritten if a newer version writes them during this run', async () => {
    const { get, change, settled, disk, withdrawn, problems, stored } = openStore();
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
    expect([withdrawn(), problems(), get().vision.slices]).toEqual([['leftToNewer'], [], 4]);
  });
});

describe('a full disk', () => {
  it('is reported once, and the settings are written after the disk has space', async () => {
    const { change, get, pass, file, errorMessages, stored, settled } = openStore();
    file.writeFailure = failure('diskFull', { path: 'settings.json' });
    change({ captions: { size: 30 } });
    await pass(400);
    change({ vision: { slices: 4 } });
    await pass(400);
    await settled();
    expect(errorMessages()).toEqual([
      'settings.json cannot be written: the disk is full. Your changes last until Parley quits.',
    ]);
    expect([get().captions.size, get().vision.slices, stored()]).toEqual([30, 4, null]);
    file.writeFailure = undefined;
    await settled();
    expect(stored()).toMatchObject({ captions: { size: 30 }, vision: { slices: 4 } });
    file.writeFailure = failure('diskFull', { path: 'settings.json' });
    change({ vision: { slices: 5 } });
    await settled();
    expect(errorMessages()).toHaveLength(2);
  });

  it('is no longer reported after the disk has space', async () => {
    const { change, pass, file, withdrawn, problems, stored } = openStore();
    file.writeFailure = failure('diskFull', { path: 'settings.json' });
    change({ captions: { size: 30 } });
    await pass(20_000);
    expect([withdrawn(), problems()]).toMatchObject([[], [{ code: 'changesNotStored' }]]);
    file.writeFailure = undefined;
    await pass(20_000);
    expect([withdrawn(), problems()]).toEqual([['changesNotStored'], []]);
    expect(stored()).toMatchObject({ captions: { size: 30 } });
    const { writes } = file;
    await pass(60_000);
    expect(file.writes).toBe(writes);
  });
});
