import { expect, test } from '@playwright/test';
import { watchConsole } from '../fixtures/complaints.ts';
import {
  copySourceTree,
  isDocumentKept,
  markDocument,
  runDevServer,
} from '../fixtures/dev-server.ts';
import { openChromium } from '../fixtures/open-chromium.ts';
import { openAbout } from '../fixtures/pages/settings-screen.ts';
import { openWithLifetime } from '../fixtures/running-host.ts';

const patient = { timeout: 60_000 };

/** A dev server over a copy of the tree, and its page in Chromium. */
function openDevServer() {
  return openWithLifetime('npm run dev', async (lifetime) => {
    const { tree, edit } = await copySourceTree(lifetime);
    const dev = runDevServer(tree, ['--browser', '--port', '0']);
    // The host prints one address per start.
    const addresses = () => dev.output().match(/http:\S+#token=\S+/g) ?? [];
    lifetime.add(dev.kill);
    // Shows the output if no address is printed.
    const answer = () => (addresses().length === 0 ? dev.output() : 'an address');
    await expect.poll(answer, patient).toBe('an address');
    const context = await openChromium(lifetime, 'en-GB');
    const consoleWatch = watchConsole(context);
    const page = await context.newPage();
    let connections = 0;
    page.on('console', (message) => {
      if (message.text() === '[vite] connected.') connections += 1;
    });
    await page.goto(addresses()[0] ?? '');
    return {
      dev,
      addresses,
      /** How often the page connected to Vite. The page does not learn of changes made before it connected. */
      connections: () => connections,
      page,
      consoleWatch,
      edit,
    };
  });
}

test('npm run dev shows changes as they are made', async () => {
  test.setTimeout(300_000);
  const { dev, addresses, connections, page, consoleWatch, edit, close } = await openDevServer();
  // The page's attempts fail while the host restarts.
  consoleWatch.allow(/WebSocket connection to .*\/connection' failed/);
  const parts = page.getByRole('listitem').getByRole('status');
  try {
    await openAbout(page);
    await expect(parts).toHaveText(['Loads', 'Loads'], patient);

    await expect.poll(connections, patient).toBe(1);
    await test.step('a changed text reloads the page', async () => {
      await edit(
        'shared/i18n/en/page-messages.ts',
        'Talks, listens and sees.',
        'Changes its words.',
      );
      await expect(page.getByText('Changes its words.')).toBeVisible(patient);
    });

    // The page reloads, which closes the details.
    await expect.poll(connections, patient).toBe(2);
    await openAbout(page);
    await expect(parts).toHaveText(['Loads', 'Loads'], patient);
    await markDocument(page);
    await test.step('a changed component is replaced in place', async () => {
      await edit('renderer/design/row.tsx', '<dt>{name}</dt>', '<dt>{name} now</dt>');
      await expect(page.locator('.technical').getByRole('term').first()).toHaveText(
        'Host now',
        patient,
      );
      expect(await isDocumentKept(page)).toBe(true);
    });

    await test.step('the open page reconnects to the changed core', async () => {
      await edit('electron/platform/system/native-libraries.ts', "'Node'", "'Changed Node'");
      await expect(page.getByText('Changed Node now')).toBeVisible(patient);
      await expect(parts).toHaveText(['Loads', 'Loads'], patient);
      // The host started at first, after the change of a word in shared, and now.
      expect(addresses()).toHaveLength(3);
      expect(new Set(addresses()).size, 'one address and token').toBe(1);
    });

    await test.step('a mistake in the core ends no process', async () => {
      await edit(
        'electron/platform/system/native-libraries.ts',
        "'Changed Node'",
        "'Mistaken Node",
      );
      await expect.poll(dev.output, patient).toContain('Not rebuilt: ');
      await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0);
      await edit('electron/platform/system/native-libraries.ts', "'Mistaken Node", "'Mended Node'");
      await expect(page.getByText('Mended Node now')).toBeVisible(patient);
      expect(await isDocumentKept(page)).toBe(true);
    });

    await test.step('Ctrl+C ends every process', async () => {
      expect(await dev.interrupt(), dev.output()).toBe(0);
      await expect.poll(dev.isRunning).toBe(false);
    });
    expect(consoleWatch.unexpected(), 'complaints in the console').toEqual([]);
  } finally {
    await close();
  }
});
