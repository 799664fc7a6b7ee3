import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openResources, untilReleased } from '../../set-up/resource-guard.ts';
import { openBrowser } from '../fixtures/browser-host.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { withEnvironment } from '../fixtures/processes.ts';

test('a Chromium that does not start leaves no host running', async ({ host, language }, info) => {
  const program = info.outputPath('no-chromium');
  writeFileSync(program, '#!/bin/sh\nexit 7\n', { mode: 0o755 });
  const before = openResources();
  await withEnvironment({ PARLEY_CHROMIUM: program }, () =>
    expect(openBrowser({ kind: host, language })).rejects.toThrow(/launch/),
  );
  expect(await untilReleased(before)).toEqual([]);
});

const root = resolve(import.meta.dirname, '../../..');

test.describe('an installation damaged by an interrupted copy', () => {
  let copy: string;

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
    test(`with ${title} is explained in one sentence, and the host ends`, async () => {
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
});
