import type { Page } from '@playwright/test';
import { execFile } from 'node:child_process';
import { access, chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { which } from '../../../scripts/lib/run.mjs';
import { putStoredTape } from '../../fixtures/stored-tape.ts';
import { readTalkFromCore } from '../fixtures/pages/talk-page.ts';
import { openSection } from '../fixtures/pages/settings-screen.ts';
import { expect, test } from './desktop-test.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const example = (name: string): string => join(root, `resources/tapes/${name}.parleytape`);
const link = 'parley://start?preset=coach';
const linkForm = (page: Page) => page.getByRole('dialog', { name: 'Start a talk?' });

// `report-and-links.test.ts` has the links that are refused.
test('a link fills a form, also over the first steps, and a talk starts only when the user confirms', async ({
  desktop,
}) => {
  const { page } = await desktop.start({ settings: { firstRun: { done: false } } });
  const firstSteps = page.getByRole('main', { name: 'First steps' });
  await expect(firstSteps).toBeVisible();
  await desktop.startAgain([link]);
  await expect(linkForm(page)).toContainText('Reading and pronunciation coach');
  await expect(linkForm(page)).toContainText('Demonstration');
  await linkForm(page).getByRole('button', { name: 'Not now' }).click();
  await expect(linkForm(page)).toHaveCount(0);
  await expect(firstSteps).toBeVisible();
  expect((await readTalkFromCore(page)).state.phase).toBe('idle');

  await desktop.startAgain(['parley://stop']);
  const refused = page.getByRole('dialog', { name: 'The link was not opened' });
  await refused.getByRole('button', { name: 'Close' }).click();
  await desktop.startAgain([link]);
  await linkForm(page).getByRole('button', { name: 'Start talking' }).click();
  await expect.poll(async () => (await readTalkFromCore(page)).state.phase).toBe('live');
  await expect(firstSteps).toHaveCount(0);
});

for (const [opener, ...words] of [['xdg-open'], ['gio', 'open']] as const) {
  test(`${opener} opens links with the running Parley only while the setting is on @nightly`, async ({
    desktop,
  }) => {
    const missing = [opener, 'xdg-mime'].find((program) => which(program) === undefined);
    test.skip(missing !== undefined, `${missing} is not installed`);
    const { home, start } = desktop;
    const environment = {
      XDG_CONFIG_HOME: home,
      XDG_DATA_HOME: join(home, 'data'),
      PARLEY_STATE_DIR: join(home, 'state'),
    };
    const program = join(home, 'Parley.AppImage');
    const { page, electron } = await start({ environment: { ...environment, APPIMAGE: program } });
    // Stands in for an AppImage. Root needs --no-sandbox, which the desktop entry does not contain.
    const path = await electron.evaluate(() => process.execPath);
    const sandbox = process.getuid?.() === 0 ? '--no-sandbox' : '';
    await writeFile(program, `#!/bin/sh\nexec "${path}" ${sandbox} "$@"\n`);
    await chmod(program, 0o755);

    // An unknown desktop makes both tools follow the shared XDG rules.
    const env = { ...process.env, ...environment, XDG_CURRENT_DESKTOP: '', BROWSER: 'false' };
    const open = () => run(opener, [...words, link], { env, timeout: 30_000 });
    const handler = async (): Promise<string> => {
      const asked = ['query', 'default', 'x-scheme-handler/parley'];
      return (await run('xdg-mime', asked, { env })).stdout.trim();
    };
    expect(await handler()).toBe('');
    await openSection(page, 'Desktop');
    const links = page.getByRole('switch', { name: 'Open parley:// links with Parley' });
    await links.click();
    await expect.poll(handler).toBe('parley-links.desktop');
    await open();
    await linkForm(page).getByRole('button', { name: 'Not now' }).click();

    await links.click();
    await expect.poll(handler).toBe('');
    const entry = join(home, 'data', 'applications', 'parley-links.desktop');
    await expect(access(entry)).rejects.toThrow('ENOENT');
    expect(await readFile(join(home, 'mimeapps.list'), 'utf8')).not.toContain('parley');
    await expect(open()).rejects.toThrow(opener);
    await expect(linkForm(page)).toHaveCount(0);
  });
}

const shown = (page: Page) =>
  page.evaluate(async () => {
    const reply = await window.parley?.request('replay', undefined);
    const view =
      reply?.ok === true ? (reply.value as { kind: string; origin?: object }) : undefined;
    return view && { state: view.kind, ...view.origin };
  });

test('a second start and a terminal command open a tape in the running Parley @nightly', async ({
  desktop,
}) => {
  const { page } = await desktop.start();
  await desktop.startAgain([example('voice')]);
  const opened = { state: 'open', name: 'voice.parleytape' };
  await expect.poll(() => shown(page)).toMatchObject(opened);
  const replay = page.getByRole('main', { name: 'Replay' });
  await expect(replay.getByRole('button', { name: 'Pause' })).toBeVisible();
  await desktop.startAgain([join(root, 'resources/tapes/none.parleytape')]);
  await expect.poll(() => shown(page)).toMatchObject({ state: 'failed' });

  const tape = join(desktop.home, 'tape');
  putStoredTape('audio-interrupted', tape);
  const env = { ...process.env, PARLEY_STATE_DIR: join(desktop.home, 'state') };
  const cli = join(root, 'out/main/cli.js');
  await run(process.execPath, [cli, 'replay', '--window', tape], { env });
  await expect.poll(() => shown(page)).toMatchObject({ state: 'open' });
});

test('a file that the user dropped has a path, and a file that a page created has none', async ({
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
  const replies = await page.evaluate(async () => {
    const file = document.querySelector<HTMLInputElement>('#dropped')?.files?.[0];
    const made = new File(['{}'], '/etc/passwd');
    const named = { path: '/etc/passwd', name: '/etc/passwd' };
    const open = window.parley?.openDropped;
    return [file && (await open?.(file)), await open?.(made), await open?.(named)];
  });
  const refused = { ok: false, error: { code: 'notARecording' } };
  expect(replies).toMatchObject([{ ok: true }, refused, refused]);
  expect(await shown(page)).toMatchObject({ state: 'open', name: 'reconnect.parleytape' });
});

test('a dropped tape plays as a folder, as its tape.ndjson or as a .parleytape file @nightly', async ({
  page,
}, testInfo) => {
  const folder = testInfo.outputPath('tape');
  putStoredTape('audio-interrupted', folder);
  const replay = page.getByRole('main', { name: 'Replay' });
  for (const path of [folder, join(folder, 'tape.ndjson'), example('video')]) {
    // Dragged with its path, as by the system; a page cannot provide a path.
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    const place = { x: 400, y: 300, data } as const;
    await session.send('Input.dispatchDragEvent', { type: 'dragEnter', ...place });
    await session.send('Input.dispatchDragEvent', { type: 'dragOver', ...place });
    await expect(page.getByText('Drop a recording here')).toBeVisible();
    await session.send('Input.dispatchDragEvent', { type: 'drop', ...place });
    await session.detach();
    await expect(page.getByText('Drop a recording here')).toHaveCount(0);
    await expect(replay.getByRole('button', { name: 'Pause' })).toBeVisible();
    await page.getByRole('button', { name: 'Close the replay' }).click();
    await expect(page.getByRole('button', { name: 'Start talking' })).toBeVisible();
  }
});

test('a folder without a tape that is dropped on Chat shows one hint, and an error for users @nightly', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [join(root, 'docs')], dragOperationsMask: 1 };
  const place = { x: 600, y: 300, data } as const;
  await session.send('Input.dispatchDragEvent', { type: 'dragEnter', ...place });
  await session.send('Input.dispatchDragEvent', { type: 'dragOver', ...place });
  await expect(page.getByText('Drop a recording here')).toBeVisible();
  await expect(page.getByText('Drop pictures and sounds here')).toBeHidden();
  await session.send('Input.dispatchDragEvent', { type: 'drop', ...place });
  await session.detach();
  const replay = page.getByRole('main', { name: 'Replay' });
  await expect(replay.getByText('is not a Parley recording.')).toBeVisible();
  await expect(replay).not.toContainText('tape.ndjson');
});
