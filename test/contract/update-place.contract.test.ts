import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppImage } from '../../electron/platform/updates/installation.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { done } from '../../shared/errors/app-error.ts';

const oddName = 'Parley’s "new" \'更新\' $HOME';

let work: (name: string) => string;
let path: string;

beforeEach(() => {
  work = workFolder();
  path = work(oddName);
  writeFileSync(path, '0.1.0');
});

const inPlace = (): string => readFileSync(path, 'utf8');
const beside = (): readonly string[] =>
  readdirSync(dirname(path))
    .filter((name) => name.startsWith(oddName))
    .map((name) => name.slice(oddName.length))
    .toSorted();

/** A downloaded file. */
function fetched(version: string): string {
  const file = work('fetched');
  writeFileSync(file, version, { mode: 0o600 });
  return file;
}

describe('the file of an AppImage', () => {
  it('is replaced by a newer version, which can restore it', async () => {
    expect(await new AppImage(path, '0.1.0').previous()).toBeUndefined();
    expect(await new AppImage(path, '0.1.0').replace(fetched('0.2.0'))).toEqual(done);
    expect(inPlace()).toBe('0.2.0');
    expect(statSync(path).mode & 0o777).toBe(0o755);
    expect(beside()).toEqual(['', '.previous-0.1.0']);

    const newer = new AppImage(path, '0.2.0');
    expect(await newer.previous()).toBe('0.1.0');
    expect(await newer.putBack('0.1.0')).toEqual(done);
    expect(inPlace()).toBe('0.1.0');
    expect(beside()).toEqual(['']);
  });

  it('is restored by the running version', async () => {
    const image = new AppImage(path, '0.1.0');
    await image.replace(fetched('0.2.0'));
    expect(await image.previous()).toBeUndefined();
    expect(await image.putBack('0.1.0')).toEqual(done);
    expect(inPlace()).toBe('0.1.0');
  });

  it('keeps the running version even if a second update precedes the restart', async () => {
    const image = new AppImage(path, '0.1.0');
    await image.replace(fetched('0.2.0'));
    expect(await image.replace(fetched('0.3.0'))).toEqual(done);
    expect(inPlace()).toBe('0.3.0');
    expect(beside()).toEqual(['', '.previous-0.1.0']);
    expect(readFileSync(`${path}.previous-0.1.0`, 'utf8')).toBe('0.1.0');
  });

  it('keeps one version, and ignores the user’s own files', async () => {
    const own = ['.previous-of mine', '.previous', '-0.2.0', '.previous-0.0.9.txt'];
    for (const name of [...own, '.previous-0.0.8', '.previous-0.0.9', '.previous-0.3.0'])
      writeFileSync(`${path}${name}`, 'x');
    const image = new AppImage(path, '0.1.0');
    expect(await image.previous()).toBe('0.0.9');
    expect(await image.replace(fetched('0.2.0'))).toEqual(done);
    expect(beside()).toEqual(['', '.previous-0.1.0', ...own].toSorted());
  });

  it('stays if the downloaded file is missing', async () => {
    const image = new AppImage(path, '0.1.0');
    expect(await image.replace(work('none'))).toMatchObject({ error: { code: 'fileGone' } });
    expect(inPlace()).toBe('0.1.0');
    expect(beside()).toEqual(['']);
  });

  it('stays if no earlier version was kept', async () => {
    const image = new AppImage(path, '0.1.0');
    expect(await image.putBack('0.0.9')).toMatchObject({ error: { code: 'updateVersionGone' } });
    expect(inPlace()).toBe('0.1.0');
  });

  it('is refused without write permission', async () => {
    // Not writable even for root.
    const image = new AppImage(join('/proc', oddName), '0.1.0');
    expect(await image.replace(fetched('0.2.0'))).toMatchObject({ ok: false });
  });
});
