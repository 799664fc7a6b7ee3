import { describe, expect, it } from 'vitest';
import { createSecretFile } from '../../../../../electron/platform/files/secret-file.ts';
import { EndpointStore } from '../../../../../electron/settings/servers/endpoint-store.ts';
import { SettingsStore } from '../../../../../electron/settings/settings-store.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeKeychain } from '../../../../fakes/fake-secrets.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const values = ['in-the-address', 'header-1', 'query-1', 'header-2'];
const settingsNames = ['settings.json', 'settings.last-good.json'];

/** Settings of an older version, which had the values of headers and query fields as readable text. */
const old = JSON.stringify({
  version: 1,
  endpoints: {
    chosen: 'home',
    list: [
      { id: 'embedded', name: 'Demonstration', kind: 'embedded', url: '' },
      {
        id: 'home',
        name: 'Home',
        kind: 'local',
        url: 'wss://gateway.lan/v1?sig=in-the-address',
        dialect: 'auto',
        headers: { 'X-Key': 'header-1' },
        query: { code: 'query-1' },
        hasToken: false,
      },
      {
        id: 'office',
        url: 'wss://gateway.lan/office',
        headers: { 'X-Key': 'header-2' },
      },
    ],
  },
});

const oldDisk = () => new Map(settingsNames.map((name) => [name, old]));

const sentValues = {
  url: 'wss://gateway.lan/v1',
  headers: { 'X-Key': 'header-1' },
  query: { code: 'query-1', sig: 'in-the-address' },
};

interface Observers {
  readonly tokens?: (file: FakeStateFile) => void;
  readonly settings?: (file: FakeStateFile) => void;
  /** Called after each write of any file. */
  readonly written?: () => void;
}

class ObservedFile extends FakeStateFile {
  constructor(disk: Map<string, string>, name: string, { written }: Observers) {
    super(disk, name);
    const write = this.write;
    this.write = async (text) => {
      const done = await write(text);
      written?.();
      return done;
    };
  }
}

/** Starts a Parley on a disk, by default with a working keychain. */
function start(
  disk: Map<string, string>,
  keychain = new FakeKeychain(),
  observers: Observers = {},
) {
  const [settings, lastGood, tokens] = [
    new ObservedFile(disk, 'settings', observers),
    new ObservedFile(disk, 'settings.last-good', observers),
    new ObservedFile(disk, 'tokens', observers),
  ];
  observers.tokens?.(tokens);
  observers.settings?.(settings);
  const store = new SettingsStore({
    file: settings,
    lastGood,
    clock: new FakeClock(),
  });
  const secrets = createSecretFile(tokens, keychain);
  const endpoints = new EndpointStore({ store, secrets, random: seeded(7) });
  const connectedWith = async () => {
    const opened = await endpoints.open('home');
    return opened.ok ? opened.value.endpoint : opened.error.code;
  };
  const end = async () => {
    store.get();
    await endpoints.end();
    await store.settled();
  };
  return {
    store,
    endpoints,
    connectedWith,
    end,
    codes: () => store.problems().map(({ code }) => code),
  };
}

/** The files that contain a value in plain text. */
const filesWithValues = (disk: ReadonlyMap<string, string>) =>
  [...disk].flatMap(([name, text]) => (values.some((each) => text.includes(each)) ? [name] : []));

describe('values in the settings of an older version', () => {
  it('survive a crash at any moment', async () => {
    const disk = oldDisk();
    const states = [new Map(disk)];
    const first = start(disk, undefined, { written: () => states.push(new Map(disk)) });
    await first.end();
    // Before the first write, and after the values of each server, the settings and the copy of the settings were written.
    expect(states.map(filesWithValues)).toEqual([
      settingsNames,
      settingsNames,
      settingsNames,
      ['settings.last-good.json'],
      [],
    ]);
    for (const disk of states) {
      const again = start(disk);
      expect(await again.connectedWith()).toMatchObject(sentValues);
      await again.end();
      expect(filesWithValues(disk)).toEqual([]);
      expect(await start(disk).connectedWith()).toMatchObject(sentValues);
    }
  });

  it.each<[what: string, keychain: object, observers: Observers]>([
    [
      'a tokens file that cannot be written',
      {},
      { tokens: (file) => (file.writeFailure = failure('readOnly', { path: '/tokens.json' })) },
    ],
    ['a keychain that is locked', { locked: true }, {}],
    [
      'a keychain that cannot read what it wrote',
      {
        open: () => {
          throw new Error('unreadable');
        },
      },
      {},
    ],
  ])(
    'stay in the settings with %s, which is reported, and move at the next start',
    async (_what, keychain, observers) => {
      const disk = oldDisk();
      const first = start(disk, Object.assign(new FakeKeychain(), keychain), observers);
      await first.end();
      for (const name of settingsNames) expect(disk.get(name)).toBe(old);
      expect(first.codes()).toEqual(['valuesStay']);
      expect(await first.connectedWith()).toMatchObject({ headers: sentValues.headers });
      const home = first.store.get().endpoints.list[1];
      if (home === undefined) throw new Error('gone');
      // An unrelated change is accepted, and the values stay.
      const renamed = await first.endpoints.put({ ...home, kind: 'local', name: 'Attic' });
      expect(renamed.ok).toBe(true);
      await first.end();

      const again = start(disk);
      await again.end();
      expect(filesWithValues(disk)).toEqual([]);
      expect(again.codes()).toEqual([]);
      expect(again.store.get().endpoints.list[1]?.name).toBe('Attic');
      expect(await again.connectedWith()).toMatchObject(sentValues);
    },
  );

  it('also stay in a settings file that is read-only', async () => {
    const disk = oldDisk();
    const first = start(disk, undefined, {
      settings: (file) => (file.writeFailure = failure('readOnly', { path: '/state' })),
    });
    await first.end();
    expect([disk.get('settings.json'), first.codes()]).toEqual([old, ['changesNotStored']]);
    expect(await start(disk).connectedWith()).toMatchObject(sentValues);
  });

  it('are not moved if a newer version wrote the settings', async () => {
    const newer = old.replace('"version":1', '"version":9,"unknown":true');
    const disk = new Map([['settings.json', newer]]);
    const first = start(disk);
    await first.end();
    expect([...disk]).toEqual([['settings.json', newer]]);
    expect(await first.connectedWith()).toMatchObject({ headers: sentValues.headers });
  });

  it('are also moved if the user added them by hand beside moved ones', async () => {
    const disk = oldDisk();
    await start(disk).end();
    const text = disk.get('settings.json') ?? '';
    disk.set('settings.json', text.replace('"X-Key": null', '"X-Key": null, "X-More": "by-hand"'));
    const again = start(disk);
    await again.end();
    expect(disk.get('settings.json')).not.toContain('by-hand');
    expect(await again.connectedWith()).toMatchObject({
      headers: { ...sentValues.headers, 'X-More': 'by-hand' },
    });
  });

  it('move when their server is saved after the keychain has been unlocked', async () => {
    const disk = oldDisk();
    const keychain = new FakeKeychain();
    keychain.locked = true;
    const { end, endpoints, store, connectedWith } = start(disk, keychain);
    await end();
    keychain.locked = false;
    for (const server of store.get().endpoints.list.slice(1, 3))
      expect((await endpoints.put({ ...server, kind: 'local' })).ok).toBe(true);
    await end();
    expect(filesWithValues(disk)).toEqual([]);
    expect(await connectedWith()).toMatchObject(sentValues);
  });

  it('are deleted with all tokens, and their report is withdrawn', async () => {
    const disk = oldDisk();
    const keychain = new FakeKeychain();
    keychain.locked = true;
    const first = start(disk, keychain);
    await first.end();
    expect((await first.endpoints.forgetAllTokens()).ok).toBe(true);
    expect([filesWithValues(disk), first.codes()]).toEqual([[], []]);
  });

  it('are left in the settings if their server changes meanwhile', async () => {
    const disk = oldDisk();
    const first = start(disk, undefined, {
      written: () => {
        const text = disk.get('settings.json') ?? '';
        if (text === old) disk.set('settings.json', old.replace('gateway.lan', 'other.lan'));
      },
    });
    await first.end();
    expect(disk.get('settings.json')).toContain('header-1');
    expect(await start(disk).connectedWith()).toMatchObject({ headers: sentValues.headers });
  });
});
