import { readdirSync } from 'node:fs';
import { withEnvironment } from '../fixtures/processes.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { openDesktop } from '../fixtures/open-desktop.ts';

test('an Electron that does not start leaves no folder behind', async ({
  host,
  language,
}, info) => {
  const folder = info.outputPath();
  await withEnvironment({ TMPDIR: folder, TMP: folder, TEMP: folder, DISPLAY: ':4999' }, () =>
    expect(openDesktop({ kind: host, language })).rejects.toThrow(/launch/),
  );
  // Chromium's own leftovers do not count.
  expect(readdirSync(folder).filter((name) => name.startsWith('parley-'))).toEqual([]);
});
