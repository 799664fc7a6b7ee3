import { writeFileSync } from 'node:fs';
import { openResources, untilReleased } from '../../set-up/resource-guard.ts';
import { withEnvironment } from '../fixtures/processes.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { openBrowser } from '../fixtures/browser-host.ts';

test('a Chromium that does not start leaves no host running', async ({ host, language }, info) => {
  const program = info.outputPath('no-chromium');
  writeFileSync(program, '#!/bin/sh\nexit 7\n', { mode: 0o755 });
  const before = openResources();
  await withEnvironment({ PARLEY_CHROMIUM: program }, () =>
    expect(openBrowser({ kind: host, language })).rejects.toThrow(/launch/),
  );
  expect(await untilReleased(before)).toEqual([]);
});
