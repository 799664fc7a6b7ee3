import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppImage } from '../../electron/platform/updates/installation.ts';
import { done } from '../../shared/errors/app-error.ts';
import { mountSmallDisk, workFolder } from '../fakes/work-folder.ts';

const oddName = 'Parley’s "new" \'更新\' $HOME';

let work: (name: string) => string;
let path: string;

beforeEach(() => {
  work = workFolder();
  path = work(oddName);
  writeFileSync(path, '0.1.0');
});

const installed = (): string => readFileSync(path, 'utf8');
/** The suffixes of the files whose names start with the program's. */
const suffixes = (): readonly string[] =>
  readdirSync(dirname(path))
    .filter((name) => name.startsWith(oddName))
    .map((name) => name.slice(oddName.length))
    .toSorted();

function downloaded(version: string): string {
  const file = work('downloaded');
  writeFileSync(file, version, { mode: 0o600 });
  return file;
}

describe('the file of an AppImage', () => {
  it('is replaced by a newer version, which can restore the old one', async () => {
    expect(await new AppImage(path, '0.1.0').previous()).toBeUndefined();
    expect(await new AppImage(path, '0.1.0').install(downloaded('0.2.0'))).toEqual(done);
    expect(installed()).toBe('0.2.0');
    expect(statSync(path).mode & 0o777).toBe(0o755);
    expect(suffixes()).toEqual(['', '.previous-0.1.0']);

    const newer = new AppImage(path, '0.2.0');
    expect(await newer.previous()).toBe('0.1.0');
    expect(await newer.rollBack('0.1.0')).toEqual(done);
    expect(installed()).toBe('0.1.0');
    expect(suffixes()).toEqual(['']);
  });

  it('can be restored by the old version, which is still running', async () => {
    const image = new AppImage(path, '0.1.0');
    await image.install(downloaded('0.2.0'));
    expect(await image.previous()).toBeUndefined();
    expect(await image.rollBack('0.1.0')).toEqual(done);
    expect(installed()).toBe('0.1.0');
  });

  it('keeps the running version even if a second update precedes the restart', async () => {
    const image = new AppImage(path, '0.1.0');
    await image.install(downloaded('0.2.0'));
    expect(await image.install(downloaded('0.3.0'))).toEqual(done);
    expect(installed()).toBe('0.3.0');
    expect(suffixes()).toEqual(['', '.previous-0.1.0']);
    expect(readFileSync(`${path}.previous-0.1.0`, 'utf8')).toBe('0.1.0');
  });

  it('keeps one version, and ignores the user’s own files', async () => {
    const own = ['.previous-of mine', '.previous', '-0.2.0', '.previous-0.0.9.txt'];
    for (const name of [...own, '.previous-0.0.8', '.previous-0.0.9', '.previous-0.3.0'])
      writeFileSync(`${path}${name}`, 'x');
    const image = new AppImage(path, '0.1.0');
    expect(await image.previous()).toBe('0.0.9');
    expect(await image.install(downloaded('0.2.0'))).toEqual(done);
    expect(suffixes()).toEqual(['', '.previous-0.1.0', ...own].toSorted());
  });

  it('is unchanged if the download or the earlier version is missing, or if it cannot be written', async () => {
    const image = new AppImage(path, '0.1.0');
    expect(await image.install(work('none'))).toMatchObject({ error: { code: 'fileGone' } });
    expect(await image.rollBack('0.0.9')).toMatchObject({ error: { code: 'updateVersionGone' } });
    expect([installed(), suffixes()]).toEqual(['0.1.0', ['']]);
    // `/proc` is not writable, even for root.
    const fixed = new AppImage(join('/proc', oddName), '0.1.0');
    expect(await fixed.install(downloaded('0.2.0'))).toMatchObject({ ok: false });
  });
});

it('an update on a read-only disk fails and keeps the running version', async (context) => {
  mountSmallDisk(work('disk'), context);
  const program = work('disk/Parley');
  const file = work('disk/downloaded');
  writeFileSync(program, '0.1.0');
  writeFileSync(file, '0.2.0');
  execFileSync('mount', ['-o', 'remount,ro', work('disk')]);
  expect(await new AppImage(program, '0.1.0').install(file)).toMatchObject({
    error: { code: 'readOnly' },
  });
  expect(readdirSync(work('disk')).toSorted()).toEqual(['Parley', 'downloaded']);
  expect(readFileSync(program, 'utf8')).toBe('0.1.0');
});
