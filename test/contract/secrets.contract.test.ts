import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createSecretFile } from '../../electron/platform/files/secret-file.ts';
import { createStateFile } from '../../electron/platform/files/state-file.ts';
import type { Secrets } from '../../shared/ports/secrets.ts';
import { failure } from '../../shared/errors/app-error.ts';
import { FakeKeychain, FakeSecrets } from '../fakes/fake-secrets.ts';
import { workFolder } from '../fakes/work-folder.ts';

const token = 'tok-7f3a91c2';

const inFolder = (folder: string, keychain?: FakeKeychain): Secrets =>
  createSecretFile(createStateFile(folder, 'tokens'), keychain);

const kinds: readonly [name: string, open: () => Secrets][] = [
  ['secrets in memory', () => new FakeSecrets()],
  ['secrets in a plain file', () => inFolder(workFolder()('state'))],
  ['secrets sealed by a keychain', () => inFolder(workFolder()('state'), new FakeKeychain())],
];

const nothing = { ok: true, value: undefined };

describe.each(kinds)('%s', (_name, open) => {
  it('are returned only under their own id', async () => {
    const secrets = open();
    expect(await secrets.get('home')).toEqual(nothing);
    expect(await secrets.set('home', token)).toEqual(nothing);
    expect(await secrets.get('home')).toEqual({ ok: true, value: token });
    expect(await secrets.get('other')).toEqual(nothing);
  });

  it('can be replaced and deleted, and deleting a missing one is no error', async () => {
    const secrets = open();
    await secrets.set('home', 'before');
    await secrets.set('home', token);
    await secrets.set('work', 'other');
    expect(await secrets.get('home')).toEqual({ ok: true, value: token });
    expect(await secrets.delete('home')).toEqual(nothing);
    expect(await secrets.delete('home')).toEqual(nothing);
    expect(await secrets.get('home')).toEqual(nothing);
    expect(await secrets.get('work')).toEqual({ ok: true, value: 'other' });
  });

  it('are counted, and deleted together', async () => {
    const secrets = open();
    expect(secrets.count()).toBe(0);
    await secrets.set('home', token);
    await secrets.set('work', token);
    expect(secrets.count()).toBe(2);
    expect(await secrets.deleteAll()).toEqual(nothing);
    expect([secrets.count(), await secrets.get('home')]).toEqual([0, nothing]);
  });

  it('are stored under any id and in any order', async () => {
    const secrets = open();
    const ids = ['__proto__', 'constructor', '', 'a/b', '家'];
    await Promise.all(ids.map((id) => secrets.set(id, `${token}-${id}`)));
    const got = await Promise.all(ids.map((id) => secrets.get(id)));
    expect(got).toEqual(ids.map((id) => ({ ok: true, value: `${token}-${id}` })));
  });
});

describe('secrets in a file', () => {
  it('are reported as plain, in a private file', async () => {
    const folder = workFolder()('state');
    const secrets = inFolder(folder);
    await secrets.set('home', token);
    expect(secrets.kind()).toBe('plain');
    expect(statSync(`${folder}/tokens.json`).mode & 0o777).toBe(0o600);
  });

  it('are encrypted as soon as a keychain exists, and older ones at their next use', async () => {
    const folder = workFolder()('state');
    await inFolder(folder).set('home', token);
    const sealed = inFolder(folder, new FakeKeychain());
    expect(sealed.kind()).toBe('keychain');
    expect(await sealed.get('home')).toEqual({ ok: true, value: token });
    await sealed.set('work', `${token}-2`);
    const text = readFileSync(`${folder}/tokens.json`, 'utf8');
    expect(text).toContain('"sealed"');
    expect(text).not.toContain(token);
    expect(text).not.toContain(Buffer.from(token).toString('base64').slice(0, 12));
  });

  it('cannot be read without their keychain, but can be entered again', async () => {
    const folder = workFolder()('state');
    await inFolder(folder, new FakeKeychain()).set('home', token);
    const terminal = inFolder(folder);
    expect(await terminal.get('home')).toEqual(failure('keychainElsewhere'));
    await terminal.set('home', token);
    expect(await terminal.get('home')).toEqual({ ok: true, value: token });
  });

  it('stay stored while their keychain is unavailable', async () => {
    const folder = workFolder()('state');
    const keychain = new FakeKeychain();
    const secrets = inFolder(folder, keychain);
    await secrets.set('home', token);
    keychain.isAvailable = false;
    expect(await secrets.get('home')).toEqual(failure('keychainAway'));
    expect(secrets.kind()).toBe('plain');
    keychain.isAvailable = true;
    expect(await secrets.get('home')).toEqual({ ok: true, value: token });
  });

  it('fail without revealing the token if the keychain is locked', async () => {
    const folder = workFolder()('state');
    const keychain = new FakeKeychain();
    const secrets = inFolder(folder, keychain);
    await secrets.set('home', token);
    keychain.locked = true;
    const [set, get] = [await secrets.set('home', `${token}-new`), await secrets.get('home')];
    expect([set.ok, get.ok]).toEqual([false, false]);
    expect(JSON.stringify([set, get])).not.toContain(token);
  });

  it('stay in memory if they cannot be written, and are reported as not stored', async () => {
    const at = workFolder();
    writeFileSync(at('state'), 'a file where the folder should be');
    const secrets = inFolder(at('state'));
    expect(await secrets.set('home', token)).toEqual(nothing);
    expect([secrets.kind(), await secrets.get('home')]).toEqual([
      'none',
      { ok: true, value: token },
    ]);
    rmSync(at('state'));
    await secrets.set('home', token);
    expect([secrets.kind(), existsSync(at('state/tokens.json'))]).toEqual(['plain', true]);
  });

  it('are set aside if the file is damaged', async () => {
    const folder = workFolder()('state');
    mkdirSync(folder);
    writeFileSync(`${folder}/tokens.json`, '{"tokens": [{"id":"home"');
    const secrets = inFolder(folder);
    expect(await secrets.get('home')).toEqual(nothing);
    await secrets.set('home', token);
    expect(await secrets.get('home')).toEqual({ ok: true, value: token });
    expect(readdirSync(folder).toSorted()).toEqual(['tokens.damaged-1.json', 'tokens.json']);
  });

  it('are neither overwritten nor set aside while the file is unreadable', async () => {
    const folder = workFolder()('state');
    await inFolder(folder).set('home', token);
    const file = createStateFile(folder, 'tokens');
    let read = (): ReturnType<typeof file.read> => failure('noPermission', { path: folder });
    const secrets = createSecretFile({ ...file, read: () => read() });
    expect(await secrets.get('home')).toMatchObject({ ok: false });
    expect(await secrets.set('work', 'new')).toEqual(nothing);
    expect(await secrets.delete('home')).toMatchObject({ ok: false });
    expect([secrets.kind(), await secrets.get('work')]).toEqual([
      'none',
      { ok: true, value: 'new' },
    ]);
    expect(readdirSync(folder)).toEqual(['tokens.json']);
    read = () => file.read();
    expect(await secrets.get('home')).toEqual({ ok: true, value: token });
    await secrets.set('work', 'new');
    expect([secrets.kind(), secrets.count()]).toEqual(['plain', 2]);
  });

  it('count as one in a damaged file, which is deleted without a copy', async () => {
    const folder = workFolder()('state');
    mkdirSync(folder);
    writeFileSync(`${folder}/tokens.json`, `{"tokens": [{"id":"home","plain":"${token}`);
    const secrets = inFolder(folder);
    expect(secrets.count()).toBe(1);
    await secrets.deleteAll();
    expect(secrets.count()).toBe(0);
    expect(readdirSync(folder)).toEqual(['tokens.json']);
    expect(readFileSync(`${folder}/tokens.json`, 'utf8')).not.toContain(token);
  });

  it('are shared by two running Parleys', async () => {
    const folder = workFolder()('state');
    const [one, two] = [inFolder(folder), inFolder(folder)];
    await one.set('home', '1');
    await two.set('work', '2');
    expect([await two.get('home'), await one.get('work')]).toEqual([
      { ok: true, value: '1' },
      { ok: true, value: '2' },
    ]);
  });
});
