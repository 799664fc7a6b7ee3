import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptedServer } from '../fakes/scripted-server.ts';
import { expect, test } from './fixtures/host-test.ts';
import { openSection } from './fixtures/pages/settings-screen.ts';

const secrets = ['header-4f9a2b71c3', 'query-4f9a2b71c3', 'address-4f9a2b71c3'];
const [header = '', query = '', address = ''] = secrets;

test('secret values reach the server after a restart, and are stored only in tokens.json', async ({
  start,
  home,
}) => {
  const server = await scriptedServer({
    accepted: (socket) => {
      socket.send('{"type":"session.queue_done"}');
    },
  });
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
