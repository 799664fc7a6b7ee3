import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, type TestContext } from 'vitest';
import { createUpdatePlace } from '../../electron/platform/updates/update-place.ts';
import { createUpdateSource } from '../../electron/platform/updates/update-source.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { UpdateServer } from './update-server.ts';

const megabyte = 1024 * 1024;

/** A disk of a megabyte for one test. */
function mountDisk(folder: string, context: TestContext): void {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    context.skip('No disk can be mounted here.');
  }
  onTestFinished(() => {
    execFileSync('umount', [folder]);
  });
}

function putProgram(folder: string, version: string, bytes = 0): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'parley'), `#!/bin/sh\necho ${version}\n`);
  chmodSync(join(folder, 'parley'), 0o755);
  if (bytes > 0) writeFileSync(join(folder, 'much'), randomBytes(bytes));
}

function packed(folder: string): string {
  const file = `${folder}.tar.gz`;
  execFileSync('tar', ['-czf', file, '-C', folder, '--transform', 's,^\\.,Parley,', '.']);
  return file;
}

it('a full disk takes no download, and nothing of it stays there', async (context) => {
  const work = workFolder();
  mountDisk(work('disk'), context);
  const server = new UpdateServer();
  await server.open();
  onTestFinished(() => server.close());
  const content = randomBytes(2 * megabyte);
  const sha512 = createHash('sha512').update(content).digest('base64');
  const name = 'Parley-0.2.0-linux-x64.tar.gz';
  server.files.set(name, content);
  const place = { folder: work('disk/updates'), feedName: 'latest-linux.yml' };
  const source = createUpdateSource({ feed: server.url, key: server.key }, place);
  const offer = { version: '0.2.0', notes: {}, file: { name, sha512, size: content.length } };
  const outcome = await source.fetch(offer, () => undefined).done;
  expect(outcome).toMatchObject({ ok: false, error: { code: 'diskFull' } });
  expect(readdirSync(place.folder)).toEqual([]);
});

const disks = [
  { what: 'full', remount: undefined, bytes: 2 * megabyte, code: 'diskFull' },
  { what: 'read-only', remount: 'remount,ro', bytes: 0, code: 'updatePlaceClosed' },
];

it.for(disks)(
  'a $what disk takes no version, and the one that runs stays',
  async (given, context) => {
    const { remount, bytes, code } = given;
    const work = workFolder();
    mountDisk(work('disk'), context);
    const path = work('disk/Parley');
    putProgram(path, '0.1.0');
    putProgram(work('new'), '0.2.0', bytes);
    const file = packed(work('new'));
    if (remount !== undefined) execFileSync('mount', ['-o', remount, work('disk')]);
    const place = createUpdatePlace({ path, kind: 'folder', running: '0.1.0' });
    expect(await place.prepare(file, '0.2.0').done).toMatchObject({ ok: false, error: { code } });
    expect(readdirSync(work('disk'))).toEqual(['Parley']);
    expect(readFileSync(join(path, 'parley'), 'utf8')).toContain('0.1.0');
  },
);

it('is back where the next version cannot be moved', async (context) => {
  const work = workFolder();
  const path = work('Parley');
  putProgram(path, '0.1.0');
  // What a disk is mounted on cannot be renamed.
  mountDisk(work('Parley.next-0.2.0'), context);
  const place = createUpdatePlace({ path, kind: 'folder', running: '0.1.0' });
  expect(await place.swap('next')).toMatchObject({
    error: { code: 'updateNotSwapped', facts: { version: '0.2.0' } },
  });
  expect(readFileSync(join(path, 'parley'), 'utf8')).toContain('0.1.0');
  expect(readdirSync(work('.'))).not.toContain('Parley.previous-0.1.0');
});
