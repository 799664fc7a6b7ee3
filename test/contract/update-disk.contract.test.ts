import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { AppImage } from '../../electron/platform/updates/installation.ts';
import { createUpdateSource } from '../../electron/platform/updates/update-source.ts';
import { mountSmallDisk, workFolder } from '../fakes/work-folder.ts';
import { UpdateServer } from './update-server.ts';

const megabyte = 1024 * 1024;

it('a full disk keeps no download and no remains', async (context) => {
  const work = workFolder();
  mountSmallDisk(work('disk'), context);
  const server = new UpdateServer();
  await server.open();
  onTestFinished(() => server.close());
  const content = randomBytes(2 * megabyte);
  const sha512 = createHash('sha512').update(content).digest('base64');
  const name = 'Parley-0.2.0-linux-x86_64.AppImage';
  server.files.set(name, content);
  const place = { folder: work('disk/updates'), feedName: 'latest-linux.yml' };
  const source = createUpdateSource({ feed: server.url, key: server.key }, place);
  const offer = { version: '0.2.0', notes: {}, file: { name, sha512, size: content.length } };
  const outcome = await source.fetch(offer, () => undefined, new AbortController().signal);
  expect(outcome).toMatchObject({ ok: false, error: { code: 'diskFull' } });
  expect(readdirSync(place.folder)).toEqual([]);
});

it('a read-only disk keeps the running version', async (context) => {
  const work = workFolder();
  mountSmallDisk(work('disk'), context);
  const path = work('disk/Parley');
  const file = work('disk/fetched');
  writeFileSync(path, '0.1.0');
  writeFileSync(file, '0.2.0');
  execFileSync('mount', ['-o', 'remount,ro', work('disk')]);
  expect(await new AppImage(path, '0.1.0').replace(file)).toMatchObject({
    error: { code: 'readOnly' },
  });
  expect(readdirSync(work('disk')).toSorted()).toEqual(['Parley', 'fetched']);
  expect(readFileSync(path, 'utf8')).toBe('0.1.0');
});
