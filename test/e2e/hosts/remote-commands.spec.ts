import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCli } from '../../fakes/run-cli.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { talkState, waitUntilLive } from '../fixtures/pages/talk-page.ts';
import { stateDirEnvironment } from '../fixtures/running-host.ts';

test('commands reach the running Parley, and its window shows their effect', async ({
  start,
  home,
  host,
}) => {
  const environment = stateDirEnvironment(home);
  const parley = async (...args: readonly string[]) => {
    const { code, err } = await runCli(args, '', { ...process.env, ...environment });
    return { code, err };
  };
  const done = { code: 0, err: '' };
  expect(await parley('interrupt')).toEqual({
    code: 3,
    err: 'Parley is not running; open it first.\n',
  });

  await mkdir(environment.PARLEY_STATE_DIR, { recursive: true });
  const stored = { version: 1, firstRun: { done: true }, talking: { mode: 'hold' } };
  await writeFile(join(environment.PARLEY_STATE_DIR, 'settings.json'), JSON.stringify(stored));
  const { page } = await start();
  // The command socket opens shortly after the page.
  await expect
    .poll(() => parley('interrupt'))
    .toEqual({
      code: 1,
      err: 'There is no talk. Start one first.\n',
    });
  expect(await parley('start')).toEqual(done);
  await waitUntilLive(page);
  const heard = page.getByRole('button', { name: 'Parley hears you' });
  expect(await parley('ptt', 'press')).toEqual(done);
  await expect(heard).toBeVisible();
  expect(await parley('ptt', 'release')).toEqual(done);
  await expect(heard).toHaveCount(0);
  expect(await parley('interrupt')).toEqual(done);
  // A desktop key may be pressed twice.
  for (const command of ['pause', 'pause']) expect(await parley(command)).toEqual(done);
  await expect(talkState(page)).toHaveText('Paused');
  expect(await parley('resume')).toEqual(done);
  await expect(talkState(page)).toHaveText('Live');
  expect(await parley('show')).toEqual(
    host === 'browser'
      ? { code: 1, err: 'Only the desktop app has separate windows. This page is a browser tab.\n' }
      : done,
  );
  expect(await parley('stop')).toEqual(done);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You ended the talk.');
});
