import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, it, vi } from 'vitest';
import { packZip } from '../../electron/platform/files/zip.ts';
import { workFolder } from '../fakes/work-folder.ts';

it('the same files give the same zip in every time zone', async () => {
  const file = workFolder();
  const path = file('tape.ndjson');
  const zips: Buffer[] = [];
  for (const zone of ['Asia/Shanghai', 'America/Lima']) {
    vi.stubEnv('TZ', zone);
    await writeFile(path, 'a line\n'.repeat(1000));
    expect(await packZip(file('made.zip'), [{ name: 'tape.ndjson', path }])).toMatchObject({
      ok: true,
    });
    zips.push(await readFile(file('made.zip')));
  }
  vi.unstubAllEnvs();
  expect(zips[0]?.length).toBeLessThan(1000);
  expect(zips[0]?.equals(zips[1] ?? Buffer.alloc(0))).toBe(true);
});

it('a missing file leaves no partial zip', async () => {
  const file = workFolder();
  const path = file('made.zip');
  const packed = await packZip(path, [{ name: 'gone', path: file('gone') }]);
  expect(packed).toMatchObject({ ok: false, error: { code: 'fileGone' } });
  expect(await readdir(dirname(path))).toEqual([]);
});
