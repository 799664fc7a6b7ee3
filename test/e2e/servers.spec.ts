import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { selfSigned } from '../fakes/self-signed.ts';
import { expect, test } from './fixtures/host-test.ts';
import { openSection } from './fixtures/pages/settings-screen.ts';
import { closedPort, openAcceptingServer } from './fixtures/servers.ts';
import { httpProxy } from '../fakes/proxies.ts';

const attic = {
  id: 'attic',
  name: 'Attic',
  kind: 'local',
  url: 'ws://127.0.0.1:9',
  dialect: 'auto',
  headers: {},
  query: {},
  hasToken: false,
} as const;

test('a server can be tested, saved, chosen and removed, and a failed test gives a clear reason @nightly', async ({
  start,
}) => {
  const { page } = await start();
  const nobody = await closedPort();
  await openSection(page, 'Servers');
  await page.getByRole('button', { name: 'Add a server' }).click();
  const form = page.getByRole('form', { name: 'New server' });
  const address = form.getByRole('textbox', { name: 'Address' });
  await address.fill('talk.example');
  await form.getByRole('button', { name: 'Test connection' }).click();
  await expect(form.getByRole('alert').filter({ hasText: 'has no scheme' })).toBeVisible();

  await address.fill(`ws://127.0.0.1:${nobody}`);
  await form.getByLabel('Access token').fill('wörds');
  await form.getByRole('button', { name: 'Test connection' }).click();
  await expect(form.getByRole('alert').filter({ hasText: 'that are not allowed' })).toBeVisible();
  await form.getByLabel('Access token').fill('secret-token');
  await form.getByRole('button', { name: 'Test connection' }).click();
  await expect(form.getByRole('status')).toContainText('Can’t reach the server.');
  await expect(form.getByRole('status')).toContainText(String(nobody));

  await form.getByRole('textbox', { name: 'Name' }).fill('Nobody');
  await form.getByRole('button', { name: 'Save' }).dblclick();
  await expect(form).toBeHidden();
  const choice = page.getByRole('radio', { name: /^Nobody/ });
  await expect(choice).toHaveCount(1);
  // The second click of a double click opens no other form where the first was.
  await page.getByRole('button', { name: 'Add a server' }).dispatchEvent('click', { detail: 2 });
  await expect(form).toBeHidden();
  await choice.click();
  await expect(choice).toBeChecked();
  await expect(page.getByText('has an access token')).toBeVisible();

  const again = (await start()).page;
  await openSection(again, 'Servers');
  await expect(again.getByRole('radio', { name: /^Nobody/ })).toBeChecked();
  await again.getByRole('button', { name: 'Test connection: Demonstration' }).click();
  await expect(again.getByText(/It works\. Connected in \d+ ms/)).toBeVisible();
  const edit = again.getByRole('button', { name: 'Edit: Nobody' });
  await edit.click();
  await again.getByText('Protocol, headers, query, certificate').click();
  const limit = again.getByRole('spinbutton', { name: 'Longest session' });
  await limit.fill('600');
  await limit.press('Enter');
  await edit.click();
  await expect(limit).toHaveValue('600');
  await again.getByRole('button', { name: 'Remove', exact: true }).click();
  await again.getByRole('button', { name: 'Dismiss' }).click();
  await expect(again.getByRole('radiogroup', { name: 'Talk to' }).getByRole('radio')).toHaveCount(
    2,
  );
  await expect(again.getByRole('radio', { name: /^Demonstration/ })).toBeChecked();
});

test('a form keeps its text if another tab removes its server @page', async ({ start }) => {
  const { page } = await start({ endpoints: { chosen: 'embedded', list: [attic] } });
  await openSection(page, 'Servers');
  await page.getByRole('button', { name: 'Edit: Attic' }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Cellar');
  const token = await page.evaluate(() => sessionStorage.getItem('parley.token'));
  const tab = await page.context().newPage();
  await tab.goto(`${page.url()}#token=${token}`);
  await openSection(tab, 'Servers');
  await tab.getByRole('button', { name: 'Edit: Attic' }).click();
  await tab.getByRole('button', { name: 'Remove', exact: true }).click();
  await tab.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByRole('radio', { name: /^Attic/ })).toHaveCount(0);
  await expect(name).toHaveValue('Cellar');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('radio', { name: /^Cellar/ })).toBeVisible();
});

test('a self-signed certificate is shown, and only its fingerprint becomes trusted', async ({
  start,
}) => {
  const { page } = await start();
  const certificate = selfSigned();
  const server = await openAcceptingServer({ tls: certificate });
  try {
    await openSection(page, 'Servers');
    await page.getByRole('button', { name: 'Add a server' }).click();
    const form = page.getByRole('form', { name: 'New server' });
    const test = form.getByRole('button', { name: 'Test connection' });
    const verdict = form.getByRole('status');
    await form.getByRole('textbox', { name: 'Address' }).fill(`wss://localhost:${server.port}`);
    await test.click();
    await expect(verdict).toContainText('The certificate is not trusted.');
    await expect(verdict).toContainText('is self-signed');
    await expect(verdict).toContainText(certificate.fingerprint);

    await form.getByText('Protocol, headers, query, certificate').click();
    const trusted = form.getByRole('textbox', { name: 'Trusted certificate' });
    await trusted.fill(selfSigned().fingerprint);
    await test.click();
    await expect(verdict).toContainText('is not the trusted one');
    // No request was sent before the certificate was trusted, so no token leaked.
    expect(server.requests).toHaveLength(0);

    await form.getByRole('button', { name: 'Trust this certificate' }).click();
    await expect(trusted).toHaveValue(certificate.fingerprint);
    await expect(verdict).toContainText(/It works\. Connected in \d+ ms/);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: `Test connection: wss://localhost` }).click();
    await expect(page.getByText(/It works\. Connected in \d+ ms/)).toBeVisible();
  } finally {
    await server.end();
  }
});

const secrets = ['header-4f9a2b71c3', 'query-4f9a2b71c3', 'address-4f9a2b71c3'];
const [header = '', query = '', address = ''] = secrets;

test('secret values reach the server after a restart, and are stored only in tokens.json @nightly', async ({
  start,
  home,
}) => {
  const server = await openAcceptingServer();
  try {
    const { page } = await start();
    await openSection(page, 'Servers');
    await page.getByRole('button', { name: 'Add a server' }).click();
    const form = page.getByRole('form', { name: 'New server' });
    await form
      .getByRole('textbox', { name: 'Address' })
      .fill(`ws://127.0.0.1:${server.port}/v1/realtime?sig=${address}`);
    await form.getByRole('textbox', { name: 'Name' }).first().fill('Studio');
    await form.getByText('Protocol, headers, query, certificate').click();
    for (const [add, name, value] of [
      ['Add a header', 'X-Team', header],
      ['Add a field', 'code', query],
    ] as const) {
      await form.getByRole('button', { name: add }).click();
      const field = form.locator('.form-field').last();
      await field.getByRole('textbox').first().fill(name);
      await field.getByRole('textbox').last().fill(value);
    }
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form).toBeHidden();
    expect(server.requests).toHaveLength(0);
    // Checks before the next start, which would migrate secrets out of the settings.
    const state = join(home, 'state');
    await expect.poll(() => filesWith(state, 'Studio')).toContain('settings.json');
    for (const secret of secrets) expect(await filesWith(state, secret)).toEqual(['tokens.json']);

    const again = (await start()).page;
    await openSection(again, 'Servers');
    await again.getByRole('button', { name: 'Test connection: Studio' }).click();
    await expect(again.getByText(/It works\. Connected in \d+ ms/)).toBeVisible();
    const [request] = server.requests;
    expect(request?.headers['x-team']).toBe(header);
    const { searchParams } = new URL(request?.url ?? '', 'ws://127.0.0.1');
    expect([searchParams.get('code'), searchParams.get('sig')]).toEqual([query, address]);

    // The page shows names only; a new value replaces the stored one.
    await again.getByRole('button', { name: 'Edit: Studio' }).click();
    const edited = again.getByRole('form', { name: 'Server Studio' });
    const kept = edited.getByPlaceholder('saved, hidden');
    await expect(kept).toHaveCount(3);
    for (const field of await kept.all()) await expect(field).toHaveValue('');
    const content = await again.content();
    for (const secret of secrets) expect(content).not.toContain(secret);
    await kept.first().fill('another-4f9a2b71c3');
    await edited.getByRole('button', { name: 'Save' }).click();
    await expect(edited).toBeHidden();
    await again.getByRole('button', { name: 'Test connection: Studio' }).click();
    await expect.poll(() => server.requests.length).toBe(2);
    expect(server.requests[1]?.headers['x-team']).toBe('another-4f9a2b71c3');
    expect(server.requests[1]?.url).toContain(query);

    // A restart has written everything to the disk.
    await start();
    for (const secret of [query, address, 'another-4f9a2b71c3']) {
      expect(await filesWith(state, secret)).toEqual(['tokens.json']);
    }
    expect(await filesWith(state, header)).toEqual([]);
  } finally {
    await server.end();
  }
});

async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  const holding = await Promise.all(
    names.map(async (name) => {
      // Skips folders, and drafts that were renamed meanwhile.
      const content = await readFile(join(folder, name), 'latin1').catch(() => '');
      return content.includes(text) ? [name] : [];
    }),
  );
  return holding.flat();
}

const login = { name: 'ann-of-sales', password: 'hush-4f9a2b71c3' };

test('a proxy is set by its address, and the window never shows its password again', async ({
  start,
}) => {
  const proxy = await httpProxy({ login });
  const server = await openAcceptingServer();
  try {
    const { page } = await start();
    await openSection(page, 'Servers');
    const modes = page.getByRole('radiogroup', { name: 'Proxy' });
    await expect(modes.getByRole('radio', { name: 'System' })).toBeChecked();
    await modes.getByRole('radio', { name: 'Address' }).click();
    const address = page.getByRole('textbox', { name: 'Address of the proxy' });
    const save = page.getByRole('button', { name: 'Use this proxy' });
    await address.fill('proxy.example');
    await save.click();
    await expect(page.getByRole('alert').filter({ hasText: 'looks like' })).toHaveText(
      'A proxy’s address looks like http://proxy.example:3128.',
    );
    const bare = `http://127.0.0.1:${proxy.port}`;
    await address.fill(bare.replace('//', `//${login.name}:${login.password}@`));
    await save.click();
    await expect(page.getByText('A user name and a password are saved.')).toBeVisible();
    await expect(address).toHaveValue(bare);
    await expect(page.getByRole('alert').filter({ hasText: 'looks like' })).toHaveCount(0);

    const again = (await start()).page;
    await openSection(again, 'Servers');
    const kept = again.getByRole('radiogroup', { name: 'Proxy' });
    await expect(kept.getByRole('radio', { name: 'Address' })).toBeChecked();
    await expect(again.getByRole('textbox', { name: 'Address of the proxy' })).toHaveValue(bare);
    expect(await again.content()).not.toContain(login.password);
    await again.getByRole('button', { name: 'Forget name and password' }).click();
    await expect(again.getByText('A user name and a password are saved.')).toHaveCount(0);
  } finally {
    await Promise.all([proxy.end(), server.end()]);
  }
});
