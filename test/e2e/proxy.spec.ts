import { httpProxy } from '../fakes/proxies.ts';
import { expect, test } from './fixtures/host-test.ts';
import { openSection } from './fixtures/pages/settings-screen.ts';
import { openAcceptingServer } from './fixtures/servers.ts';

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
    // The hint about storage appears with a password.
    const hints = page.locator('.proxy-form .row-hint');
    await expect(hints).toHaveCount(0);
    await page.getByLabel('Password', { exact: true }).fill(login.password);
    await expect(hints).toHaveCount(1);
    await page.getByLabel('Password', { exact: true }).fill('');
    await expect(hints).toHaveCount(0);
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
    await kept.getByRole('radio', { name: 'None' }).click();
    await expect(again.getByRole('textbox', { name: 'Address of the proxy' })).toHaveCount(0);
  } finally {
    await Promise.all([proxy.end(), server.end()]);
  }
});
