import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { recordTalk } from '../fixtures/record-talk.ts';
import { expect, test } from './fixtures/host-test.ts';
import type { RunningHost } from './fixtures/running-host.ts';

const stamp = '2026-11-20T10-00-00-000Z';

/** Runs `save` and returns the file's name: through the system's dialog, or as a download. */
async function saveFile(
  { page, electron }: Pick<RunningHost, 'page' | 'electron'>,
  path: string,
  save: () => Promise<void>,
): Promise<string> {
  if (electron === undefined) {
    const coming = page.waitForEvent('download');
    await save();
    const download = await coming;
    await download.saveAs(path);
    return download.suggestedFilename();
  }
  await electron.evaluate(({ dialog }, filePath) => {
    const names: string[] = [];
    Reflect.set(globalThis, 'askedNames', names);
    dialog.showSaveDialog = (...args: unknown[]) => {
      names.push((args.at(-1) as { defaultPath: string }).defaultPath);
      return Promise.resolve({ canceled: false, filePath });
    };
  }, path);
  await save();
  await expect(page.getByRole('dialog').getByText(path)).toBeVisible();
  const names = await electron.evaluate(() => Reflect.get(globalThis, 'askedNames') as string[]);
  return names.at(-1)?.split('/').at(-1) ?? '';
}

async function keepTape(home: string): Promise<void> {
  await mkdir(join(home, 'state/tapes'), { recursive: true });
  await recordTalk(join(home, 'state/tapes', stamp), createFiles(), {
    gateway: { faults: [{ session: 1, kind: 'error', atStep: 4, code: 'invalid_gertrude' }] },
    hears: () => new Float32Array(320).fill(0.1),
    actions: [[9000, (talk) => talk.end()]],
  });
}

test('a tape without text is listed, exported and reported, and its report replays on another machine', async ({
  start,
  home,
}) => {
  await keepTape(home);
  const host = await start();
  const { page } = host;
  const show = async (text: string): Promise<void> => {
    await page.getByRole('button', { name: 'History', exact: true }).click();
    await page
      .getByRole('button', { name: new RegExp(text, 'u') })
      .first()
      .click();
  };
  await show('A recorded talk');
  await page.getByRole('button', { name: 'Export…' }).click();
  await page.getByRole('radio', { name: 'Plain text' }).check();
  const text = join(home, 'mine.txt');
  const name = await saveFile(host, text, () =>
    page.getByRole('button', { name: 'Save…' }).click(),
  );
  expect(name).toMatch(/^Parley 2026-11-(?:19|20|21) \d\d-\d\d\.txt$/u);
  expect(await readFile(text, 'utf8')).toContain('You: (spoken');
  const done = page.getByRole('button', { name: 'Done' });
  await expect(done).toBeFocused();
  await done.click();

  await page
    .getByRole('button', { name: /^More about/u })
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'Report a problem…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Report a problem' });
  await expect(sheet.getByText(/^talk\.parleytape, /u)).toBeVisible();
  await sheet.getByText(/^about\.txt, /u).click();
  await expect(sheet.getByText(/Settings that are switches or numbers/u)).toBeVisible();
  const report = join(home, 'report.zip');
  await saveFile(host, report, () => sheet.getByRole('button', { name: 'Save…' }).click());
  await expect(sheet.getByText('Nothing was sent.')).toBeVisible();

  execFileSync('unzip', ['-q', report, '-d', join(home, 'received')]);
  await rm(join(home, 'state'), { recursive: true });
  const tape = join(home, 'looked');
  execFileSync('unzip', ['-q', join(home, 'received/talk.parleytape'), '-d', tape]);
  await cp(tape, join(home, 'state/tapes', stamp), { recursive: true });
  const { page: there } = await start();
  await there.getByRole('button', { name: 'History', exact: true }).click();
  await there
    .getByRole('button', { name: /A recorded talk/u })
    .first()
    .click();
  await there.getByRole('button', { name: 'Replay', exact: true }).click();
  await there.getByRole('slider', { name: 'Place in the talk' }).press('End');
  const replayed = there.getByRole('main', { name: 'Replay' });
  await replayed.getByText('Details').click();
  await expect(replayed).toContainText(/invalid_x+/u);
});
