import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { scriptedServer } from '../../fakes/scripted-server.ts';
import type { HostKind } from '../fixtures/running-host.ts';
import { openSection } from '../fixtures/pages/settings-screen.ts';
import { expect, test } from './desktop-test.ts';
import { Keyring, findMissingKeyringTool, decryptWith } from './keyring.ts';

const token = 'token-8c1e55d0';
/**
 * Playwright sets another password store for the sources' Electron, so a module overrides it; the package accepts a
 * flag.
 */
const keyringOptions = (host: HostKind) =>
  host === 'packaged'
    ? { flags: ['--password-store=gnome-libsecret'] }
    : { modules: [join(import.meta.dirname, 'use-libsecret.cjs')] };

test('the real keyring seals a token, which works after a restart and is unavailable while the keyring is locked or gone', async ({
  desktop,
  host,
}) => {
  const startOptions = keyringOptions(host);
  test.setTimeout(120_000);
  const missing = findMissingKeyringTool();
  test.skip(missing !== undefined, `${missing} is not installed`);
  const { bus, home, lifetime, start } = desktop;
  const server = await scriptedServer({
    accepted: (socket) => {
      socket.send('{"type":"session.queue_done"}');
    },
  });
  lifetime.add(() => server.end());
  const keyring = new Keyring(bus, home, lifetime);
  await keyring.start();
  expect(await keyring.passwordOf('Parley').catch(() => '')).toBe('');

  const first = await start(startOptions);
  await addServer(first.page, `ws://127.0.0.1:${server.port}/v1/realtime`);
  await first.electron.close();
  const file = () => readFile(join(home, 'state', 'tokens.json'), 'utf8');
  const written = await file();
  expect(written).not.toContain(token);
  const { tokens } = JSON.parse(written) as { tokens: { id: string; sealed: string }[] };
  expect(tokens).toHaveLength(1);
  const password = await keyring.passwordOf('Parley');
  expect(decryptWith(password, Buffer.from(tokens[0]?.sealed ?? '', 'base64'))).toBe(token);

  const second = await start(startOptions);
  await testConnection(second.page);
  await expect(second.page.getByText(/It works\. Connected in \d+ ms/)).toBeVisible();
  expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  await second.electron.close();

  for (const close of [() => keyring.lock(), () => keyring.stop()]) {
    await close();
    const requests = server.requests.length;
    const without = await start(startOptions);
    await testConnection(without.page);
    await expect(without.page.getByText(/keychain is locked/)).toBeVisible();
    expect(server.requests).toHaveLength(requests);
    await without.page.getByRole('button', { name: 'Edit: Studio' }).click();
    await expect(without.page.getByText('This system has no keychain')).toBeVisible();
    await without.electron.close();
    expect(await file()).toBe(written);
  }

  await keyring.start();
  const again = await start(startOptions);
  await testConnection(again.page);
  await expect(again.page.getByText(/It works\. Connected in \d+ ms/)).toBeVisible();
  expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  await again.electron.close();
});

async function addServer(page: Page, address: string): Promise<void> {
  await openSection(page, 'Servers');
  await page.getByRole('button', { name: 'Add a server' }).click();
  const form = page.getByRole('form', { name: 'New server' });
  await form.getByRole('textbox', { name: 'Address' }).fill(address);
  await form.getByRole('textbox', { name: 'Name' }).first().fill('Studio');
  await form.getByLabel('Access token').fill(token);
  await expect(form.getByText('It is protected by the system’s keychain.')).toBeVisible();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
}

async function testConnection(page: Page): Promise<void> {
  await openSection(page, 'Servers');
  await page.getByRole('button', { name: 'Test connection: Studio' }).click();
}
