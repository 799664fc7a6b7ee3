import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';

const root = resolve(import.meta.dirname, '../../..');
let copy: string;

// The built hosts, with packages damaged by an interrupted copy.
test.beforeEach(async () => {
  copy = await mkdtemp(join(tmpdir(), 'parley-damaged-'));
  await cp(join(root, 'out'), join(copy, 'out'), { recursive: true });
  await writeFile(join(copy, 'package.json'), '{"type":"module"}');
  await mkdir(join(copy, 'node_modules/ws'), { recursive: true });
});

test.afterEach(() => rm(copy, { recursive: true }));

const damages = [
  { title: 'an empty manifest', files: { 'package.json': '' } },
  { title: 'a truncated file', files: { 'package.json': '{"main":"i.js"}', 'i.js': 'exports.' } },
  { title: 'a missing file', files: { 'package.json': '{"main":"i.js"}' } },
];

for (const { title, files } of damages) {
  test(`a host explains ${title} in one sentence and ends`, async () => {
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(copy, 'node_modules/ws', name), text);
    }
    for (const entry of ['browser', 'cli']) {
      const ended = spawnSync(process.execPath, [join(copy, `out/main/${entry}.js`), 'doctor'], {
        encoding: 'utf8',
      });
      expect(ended.stderr).toMatch(/^Parley could not start \(.+\): .*delete node_modules.*\n$/);
      expect(ended).toMatchObject({ status: 1, stdout: '' });
    }
  });
}
