import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../fixtures/host-test.ts';
import { waitForLine, spawnDesktop, spawnSources } from '../fixtures/spawn-desktop.ts';
import type { SpawnedDesktop } from '../fixtures/spawn-desktop.ts';

/** An app that only prints the same line and ends, for comparison. */
const emptyApp = `process.stdout.write('Parley is already running\\n'); require('electron').app.exit(0);`;

async function secondStart(start: () => SpawnedDesktop): Promise<number> {
  const began = performance.now();
  const second = start();
  const ended = once(second, 'exit');
  await waitForLine(second, /^Parley is already running/);
  const took = performance.now() - began;
  expect(await ended).toEqual([0, null]);
  return took;
}

test('a second start hands over its command and ends', async ({ home, host }) => {
  test.setTimeout(60_000);
  const child = spawnDesktop(home, host);
  const exit = once(child, 'exit');
  try {
    await waitForLine(child, /^Parley is open\.$/);
    const empty = join(home, 'empty');
    await mkdir(empty);
    await writeFile(join(empty, 'package.json'), '{"main":"main.cjs"}');
    await writeFile(join(empty, 'main.cjs'), emptyApp);
    const [ours, bare]: [number[], number[]] = [[], []];
    for (let time = 0; time < 5; time += 1) {
      ours.push(await secondStart(() => spawnDesktop(home, host)));
      bare.push(await secondStart(() => spawnSources(home, empty)));
    }
    const [own, engine] = [Math.min(...ours), Math.min(...bare)].map(Math.round);
    test.info().annotations.push({
      type: 'measured',
      description: `a second start hands over after ${own} ms, of which an empty Electron takes ${engine} ms`,
    });
  } finally {
    child.kill('SIGTERM');
    await exit;
  }
});
