import type { Page } from '@playwright/test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { putStoredTape } from '../../fixtures/stored-tape.ts';
import { expect, test } from '../fixtures/host-test.ts';

/** Drags a file with its path, as the system does; a page cannot provide a path. */
async function drag(page: Page, path: string): Promise<{ readonly drop: () => Promise<void> }> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  const place = { x: 400, y: 300, data } as const;
  await session.send('Input.dispatchDragEvent', { type: 'dragEnter', ...place });
  await session.send('Input.dispatchDragEvent', { type: 'dragOver', ...place });
  return {
    drop: async () => {
      await session.send('Input.dispatchDragEvent', { type: 'drop', ...place });
      await session.detach();
    },
  };
}

test('a dropped tape plays as a folder, as its tape.ndjson or as a .parleytape file', async ({
  page,
}, testInfo) => {
  const replay = page.getByRole('main', { name: 'Replay' });
  const folder = testInfo.outputPath('tape');
  putStoredTape('audio-interrupted', folder);
  const example = resolve('resources/tapes/video.parleytape');
  for (const path of [folder, join(folder, 'tape.ndjson'), example]) {
    const dragged = await drag(page, path);
    await expect(page.getByText('Drop a recording here')).toBeVisible();
    await dragged.drop();
    await expect(page.getByText('Drop a recording here')).toHaveCount(0);
    await expect(replay.getByRole('slider', { name: 'Place in the talk' })).toBeVisible();
    await expect(replay.getByRole('heading', { name: 'Replay' })).toBeVisible();
    await expect(replay.getByRole('button', { name: 'Pause' })).toBeVisible();
    await page.getByRole('button', { name: 'Close the replay' }).click();
    await expect(page.getByRole('button', { name: 'Start talking' })).toBeVisible();
  }
});

test('a dropped folder or file that is not a tape is explained, in Chat and in Talk', async ({
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-no-tape-'));
  try {
    await page.getByRole('button', { name: 'Chat' }).click();
    await expect(page.getByRole('main', { name: 'Chat' })).toBeVisible();
    const dragged = await drag(page, folder);
    await expect(page.getByText('Drop a recording here')).toBeVisible();
    await dragged.drop();
    await expect(page.getByRole('heading', { name: 'Can’t play this.' })).toBeVisible();
    await expect(page.getByRole('alert')).toContainText(/tape/u);
    await page.getByRole('button', { name: 'Go back' }).click();
    await expect(page.getByRole('main', { name: 'Chat' })).toBeVisible();

    await page.getByRole('button', { name: 'Talk', exact: true }).click();
    const file = join(folder, 'broken.parleytape');
    await writeFile(file, 'no zip at all');
    await (await drag(page, file)).drop();
    await expect(page.getByRole('heading', { name: 'Can’t play this.' })).toBeVisible();
    await page.getByRole('button', { name: 'See an example' }).click();
    await page.getByRole('menuitem').first().click();
    await expect(page.getByRole('slider', { name: 'Place in the talk' })).toBeVisible();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
