import { copyFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { chromium, expect, test } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { findElectron } from '../../../scripts/lib/electron-runtime.mjs';
import { Lifetime } from '../../../shared/lifetime.ts';
import { isDocumentKept, mark, copySourceTree, runDevServer } from '../fixtures/dev-server.ts';
import { openAbout } from '../fixtures/pages/settings-screen.ts';

const patient = { timeout: 60_000 };

/** The installed Electron, wrapped to open a debugging port. */
async function wrapWithDebuggingPort(folder: string): Promise<string> {
  const electron = await findElectron();
  if ('reason' in electron) throw new Error(electron.reason);
  const { executable } = electron;
  const program = `#!/bin/sh\nexec '${executable}' --remote-debugging-port=0 "$@"\n`;
  await writeFile(join(folder, 'electron'), program, { mode: 0o755 });
  await copyFile(join(dirname(executable), 'version'), join(folder, 'version'));
  return folder;
}

/** Connects to the window of the nth start; Electron restarts for each change. */
async function windowOf(start: number, output: () => string, lifetime: Lifetime): Promise<Page> {
  const addresses = () => output().match(/ws:\/\/127\.0\.0\.1:\d+\/devtools\/\S+/g) ?? [];
  const opened = () => output().match(/^Parley is open\.$/gm) ?? [];
  // Shows the output if no window opens.
  const answer = () => (opened().length < start ? output() : 'open');
  await expect.poll(answer, patient).toBe('open');
  // A change may restart it twice; the newest window stays.
  let browser: Browser | undefined;
  await expect(async () => {
    browser = await chromium.connectOverCDP(addresses().at(-1) ?? '');
  }).toPass(patient);
  if (browser === undefined) throw new Error('The window has no debugging port.');
  lifetime.add(() => browser?.close());
  const page = browser.contexts()[0]?.pages()[0];
  if (page === undefined) throw new Error('The window has no page.');
  return page;
}

test('npm run dev shows changes in the window as they are made', async () => {
  test.setTimeout(300_000);
  const lifetime = new Lifetime('npm run dev');
  try {
    const { tree, edit } = await copySourceTree(lifetime);
    const home = test.info().outputPath();
    const dev = runDevServer(
      tree,
      ['--desktop', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
      {
        ELECTRON_OVERRIDE_DIST_PATH: await wrapWithDebuggingPort(home),
        XDG_CONFIG_HOME: home,
      },
    );
    lifetime.add(dev.kill);
    const page = await windowOf(1, dev.output, lifetime);
    const parts = page.getByRole('listitem').getByRole('status');
    await openAbout(page);
    await expect(parts).toHaveText(['Loads', 'Loads'], patient);

    await mark(page);
    await test.step('a changed component is replaced in place', async () => {
      await edit('renderer/design/row.tsx', '<dt>{name}</dt>', '<dt>{name} now</dt>');
      await expect(page.locator('.technical').getByRole('term').first()).toHaveText(
        'Host now',
        patient,
      );
      expect(await isDocumentKept(page)).toBe(true);
    });

    await test.step('a changed text reloads the page', async () => {
      await edit('shared/i18n/en/shell.ts', "host: 'Host'", "host: 'Place'");
      // The page reloads, which closes the details.
      await expect(async () => {
        await openAbout(page);
        await expect(page.locator('.technical').getByRole('term').first()).toHaveText('Place now', {
          timeout: 1000,
        });
      }).toPass(patient);
    });

    await test.step('a changed core opens a new window', async () => {
      await edit('electron/platform/system/native-libraries.ts', "'Node'", "'Changed Node'");
      const next = await windowOf(2, dev.output, lifetime);
      await openAbout(next);
      await expect(next.getByText('Changed Node now')).toBeVisible(patient);
      await expect(next.getByRole('listitem').getByRole('status')).toHaveText(
        ['Loads', 'Loads'],
        patient,
      );
    });

    await test.step('Ctrl+C ends every process', async () => {
      expect(await dev.interrupt(), dev.output()).toBe(0);
      await expect.poll(dev.isRunning, patient).toBe(false);
    });
  } finally {
    await lifetime.end();
  }
});
