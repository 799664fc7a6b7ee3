import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { unpackTape } from '../../../electron/platform/files/zip.ts';
import { expect, test } from './desktop-test.ts';

const patient = { timeout: 30_000 };
const root = join(import.meta.dirname, '../../..');
const example = (name: string): string => join(root, `resources/tapes/${name}.parleytape`);
const run = promisify(execFile);

const shown = (page: Page) =>
  page.evaluate(async () => {
    const reply = await window.parley?.request('replay', undefined);
    const view =
      reply?.ok === true ? (reply.value as { kind: string; origin?: object }) : undefined;
    return view && { state: view.kind, ...view.origin };
  });

test('a second start opens a tape in the running Parley', async ({ desktop }) => {
  const { page } = await desktop.start();
  await desktop.startAgain([example('voice')]);
  await expect
    .poll(() => shown(page), patient)
    .toMatchObject({ state: 'open', name: 'voice.parleytape' });
  await expect(page.getByRole('main', { name: 'Replay' })).toBeVisible();
  await desktop.startAgain([example('video')]);
  await expect.poll(() => shown(page), patient).toMatchObject({ name: 'video.parleytape' });
  await desktop.startAgain([join(root, 'resources/tapes/none.parleytape')]);
  await expect.poll(() => shown(page), patient).toMatchObject({ state: 'failed' });
});

test('a terminal command opens a tape in the window', async ({ desktop }) => {
  const { page } = await desktop.start();
  const tape = await unpackTape(example('video'));
  if (!tape.ok) throw new Error(tape.error.code);
  const env = { ...process.env, PARLEY_STATE_DIR: join(desktop.home, 'state') };
  const cli = join(root, 'out/main/cli.js');
  const ask = (path: string) => run(process.execPath, [cli, 'replay', '--window', path], { env });
  // The socket for commands opens a moment after the window.
  await expect(() => ask(tape.value.folder)).toPass(patient);
  await expect.poll(() => shown(page), patient).toMatchObject({ state: 'open' });
  const refused = await ask('/nowhere').catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/nowhere is not a tape/u),
  });
  await tape.value.remove();
});

test('only a file that the user dropped has a path, not one that a page created', async ({
  desktop,
}) => {
  const { page } = await desktop.start();
  await page.evaluate(() => {
    const field = document.createElement('input');
    field.type = 'file';
    field.id = 'dropped';
    document.body.append(field);
  });
  // As with a drop, the browser itself provides the file's path.
  await page.locator('#dropped').setInputFiles(example('reconnect'));
  const reply = await page.evaluate(async () => {
    const field = document.querySelector<HTMLInputElement>('#dropped');
    const file = field?.files?.[0];
    return file && (await window.parley?.openDropped?.(file));
  });
  expect(reply).toMatchObject({ ok: true });
  expect(await shown(page)).toMatchObject({ state: 'open', name: 'reconnect.parleytape' });
  const made = await page.evaluate(() =>
    window.parley?.openDropped?.(new File(['{}'], '/etc/passwd')),
  );
  expect(made).toMatchObject({ ok: false, error: { code: 'notARecording' } });
  const named = await page.evaluate(() =>
    window.parley?.openDropped?.({ path: '/etc/passwd', name: '/etc/passwd' }),
  );
  expect(named).toMatchObject({ ok: false, error: { code: 'notARecording' } });
});
