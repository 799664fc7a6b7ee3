import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { runCli } from '../../fakes/run-cli.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { stateDirEnvironment } from '../fixtures/running-host.ts';
import { spawnSources } from '../fixtures/spawn-desktop.ts';

const patient = { timeout: 40_000 };

/** The built app with a fault before it has a window; it logs the process id of each start. */
async function createFaultyApp(home: string, when: string): Promise<string> {
  const folder = join(home, 'planted');
  const main = pathToFileURL(resolve(import.meta.dirname, '../../../out/main/main.js')).href;
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{"main":"main.mjs","type":"module"}');
  await writeFile(
    join(folder, 'main.mjs'),
    `import { appendFileSync } from 'node:fs';
    import { dialog } from 'electron';
    dialog.showMessageBox = async () => ({ response: 0 });
    appendFileSync(${JSON.stringify(join(home, 'starts'))}, process.pid + '\\n');
    await import(${JSON.stringify(main)});
    if (${when}) setTimeout(() => { throw new Error('planted'); });`,
  );
  return folder;
}

/** The process ids of all starts; a restarted app has no pipe to the test. */
async function starts(home: string): Promise<readonly number[]> {
  return (await readFile(join(home, 'starts'), 'utf8')).trim().split('\n').map(Number);
}

function logIn(home: string): string {
  const file = join(stateDirEnvironment(home).PARLEY_STATE_DIR, 'logs/parley.log');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a fault before the window opens causes one safe start, which works', async ({ home }) => {
  test.setTimeout(90_000);
  const app = await createFaultyApp(home, `!process.argv.includes('--safe-start')`);
  const child = spawnSources(home, app);
  try {
    expect(await once(child, 'exit')).toEqual([1, null]);
    const environment = { ...process.env, ...stateDirEnvironment(home) };
    await expect.poll(async () => (await runCli(['show'], '', environment)).code, patient).toBe(0);
    expect(await starts(home)).toHaveLength(2);
    expect(logIn(home).split('uncaught exception: Error: planted')).toHaveLength(2);
    expect(logIn(home)).toContain('Parley restarts because of the errors above');
    expect(logIn(home)).toContain('starting in safe mode');
  } finally {
    const again = (await starts(home)).filter((pid) => pid !== child.pid);
    for (const pid of again) process.kill(pid, 'SIGTERM');
    await expect.poll(() => again.filter(isAlive), patient).toEqual([]);
  }
});

test('a fault that returns in the safe start ends Parley instead of restarting forever', async ({
  home,
}) => {
  test.setTimeout(90_000);
  const app = await createFaultyApp(home, 'true');
  const child = spawnSources(home, app);
  expect(await once(child, 'exit')).toEqual([1, null]);
  await expect.poll(async () => (await starts(home)).length, patient).toBe(2);
  const both = await starts(home);
  await expect.poll(() => both.filter(isAlive), patient).toEqual([]);
  // Longer than the second start took.
  await rest(3000);
  expect(await starts(home)).toEqual(both);
  expect(logIn(home).split('uncaught exception: Error: planted')).toHaveLength(3);
  expect(logIn(home).split('Parley restarts because of the errors above')).toHaveLength(2);
});
