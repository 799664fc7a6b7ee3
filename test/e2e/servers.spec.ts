import { scriptedServer } from '../fakes/scripted-server.ts';
import { selfSigned } from '../fakes/self-signed.ts';
import { closedPort } from './fixtures/closed-port.ts';
import { expect, test } from './fixtures/host-test.ts';
import { openSection } from './fixtures/pages/settings-screen.ts';

test('a server can be tested with a clear reason, saved, chosen and removed', async ({ start }) => {
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
  await choice.click();
  await expect(choice).toBeChecked();
  await expect(page.getByText('has an access token')).toBeVisible();

  const again = (await start()).page;
  await openSection(again, 'Servers');
  await expect(again.getByRole('radio', { name: /^Nobody/ })).toBeChecked();
  await again.getByRole('button', { name: 'Test connection: Demonstration' }).click();
  await expect(again.getByText(/It works\. Connected in \d+ ms/)).toBeVisible();
  await again.getByRole('button', { name: 'Edit: Nobody' }).click();
  const remove = again.getByRole('button', { name: 'Remove', exact: true });
  await remove.click();
  await expect(again.getByRole('radiogroup', { name: 'Talk to' }).getByRole('radio')).toHaveCount(
    2,
  );
  await again.getByRole('button', { name: 'Undo' }).click();
  await expect(again.getByRole('radio', { name: /^Nobody/ })).toBeChecked();
  await again.getByRole('button', { name: 'Edit: Nobody' }).click();
  await remove.click();
  await again.getByRole('button', { name: 'Dismiss' }).click();
  await expect(again.getByRole('radiogroup', { name: 'Talk to' }).getByRole('radio')).toHaveCount(
    2,
  );
  await expect(again.getByRole('radio', { name: /^Demonstration/ })).toBeChecked();
});

test('a self-signed certificate is shown, and only its fingerprint becomes trusted', async ({
  start,
}) => {
  const { page } = await start();
  const certificate = selfSigned();
  const server = await scriptedServer({
    tls: certificate,
    accepted: (socket) => {
      socket.send('{"type":"session.queue_done"}');
    },
  });
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
    await test.click();
    await expect(verdict).toContainText(/It works\. Connected in \d+ ms/);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: `Test connection: wss://localhost` }).click();
    await expect(page.getByText(/It works\. Connected in \d+ ms/)).toBeVisible();
  } finally {
    await server.end();
  }
});
