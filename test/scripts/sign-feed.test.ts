import { execFileSync, spawnSync } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readUpdateSettings } from '../../electron/platform/updates/update-source.ts';
import { writeUpdateSettings } from '../../scripts/package/update-feed.mjs';
import { readUpdateFeed } from '../../shared/updates/update-feed.ts';
import { workFolder } from '../fakes/work-folder.ts';

import manifest from '../../package.json' with { type: 'json' };

const script = resolve(import.meta.dirname, '../../scripts/sign-feed.mjs');
const { version } = manifest;

function run(args: readonly string[], key = '') {
  const env = { ...process.env, PARLEY_UPDATE_SIGNING_KEY: key };
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], {
    env,
    encoding: 'utf8',
  });
  return { status, message: stderr.trim() };
}

function makeKey(file: string) {
  const publicKey = execFileSync(process.execPath, [script, 'key', file], {
    encoding: 'utf8',
  }).trim();
  return { publicKey, privateKey: readFileSync(file, 'utf8').trim() };
}

describe('the feeds of a release', () => {
  it('are signed with the private key that matches the package’s public key, and list the packages', () => {
    const work = workFolder();
    const { publicKey, privateKey } = makeKey(work('key'));
    expect(statSync(work('key')).mode & 0o777).toBe(0o600);
    const folder = work('packages');
    mkdirSync(folder);
    const names = [`Parley-${version}-linux-x64.tar.gz`, `Parley-${version}-linux-x86_64.AppImage`];
    for (const name of [...names, 'Parley-0.0.0-linux-x64.tar.gz', `parley_${version}_amd64.deb`])
      writeFileSync(join(folder, name), name);
    writeFileSync(work('zh'), '新内容。\n');
    const args = [folder, '--share', '20', '--days', '30', '--notes', `zh=${work('zh')}`];
    expect(run(args, privateKey)).toEqual({ status: 0, message: 'Signed: latest-linux.yml' });
    const text = readFileSync(join(folder, 'latest-linux.yml'));
    const signature = readFileSync(join(folder, 'latest-linux.yml.sig'), 'ascii');
    const key = createPublicKey({
      key: Buffer.from(publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    expect(verify(null, text, key, Buffer.from(signature, 'base64'))).toBe(true);
    const feed = readUpdateFeed(text.toString());
    expect(feed).toMatchObject({ version, stagingPercentage: 20, notes: { zh: '新内容。' } });
    if (typeof feed === 'string') throw new Error(feed);
    expect(feed.notes['en']).toMatch(/^Added\n\n- Talks\./);
    expect(feed.files.map(({ name }) => name)).toEqual(names);
    expect(Date.parse(feed.validUntil) - Date.parse(feed.issuedAt)).toBe(30 * 86_400_000);
  });

  it('need a folder, a package and a key', () => {
    const work = workFolder();
    const { privateKey } = makeKey(work('key'));
    expect(run([work('nowhere')], privateKey).message).toMatch(/ does not exist\.$/);
    mkdirSync(work('empty'));
    expect(run([work('empty')], privateKey).message).toMatch(/ contains no package of Parley /);
    expect(run([work('empty')]).message).toMatch(/^PARLEY_UPDATE_SIGNING_KEY is not set/);
    expect(run([work('empty'), '--share', '120'], privateKey).status).toBe(2);
    expect(run([]).status).toBe(2);
  });

  it('are signed with a key that the key command never overwrites', () => {
    const work = workFolder();
    const { privateKey } = makeKey(work('key'));
    expect(run(['key', work('key')]).message).toMatch(
      /exists\. Choose another file, because a key must not be overwritten/,
    );
    expect(readFileSync(work('key'), 'utf8').trim()).toBe(privateKey);
  });
});

describe('the update settings of a package', () => {
  it('are read back by the package', () => {
    const work = workFolder();
    const { publicKey } = makeKey(work('key'));
    const env = {
      PARLEY_UPDATE_FEED: 'https://updates.example/parley/',
      PARLEY_UPDATE_KEY: publicKey,
    };
    mkdirSync(work('resources'));
    writeUpdateSettings(work('resources'), env);
    const complaints: string[] = [];
    const settings = readUpdateSettings(work('resources'), (why) => complaints.push(why));
    expect(settings?.feed.href).toBe('https://updates.example/parley/');
    expect(settings?.key.asymmetricKeyType).toBe('ed25519');
    expect(complaints).toEqual([]);
  });

  it.each([
    ['plain HTTP', 'http://updates.example/'],
    ['a file instead of a folder', 'https://updates.example/latest.yml'],
    ['an invalid key', 'https://updates.example/', 'abcd'],
  ])('are refused with %s, by the build and by the package', (_what, feed, wrongKey?: string) => {
    const work = workFolder();
    const key = wrongKey ?? makeKey(work('key')).publicKey;
    const env = { PARLEY_UPDATE_FEED: feed, PARLEY_UPDATE_KEY: key };
    expect(() => {
      writeUpdateSettings(work(''), env);
    }).toThrow(/must be/);
    writeFileSync(work('update-feed.json'), JSON.stringify({ feed, key }));
    const complaints: string[] = [];
    expect(readUpdateSettings(work(''), (why) => complaints.push(why))).toBeUndefined();
    expect(complaints).toHaveLength(1);
  });
});
