import type { Page } from '@playwright/test';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Fault } from '../../electron/gateway/gateway-options.ts';
import type { SettingsPatch } from '../../shared/settings/settings.ts';
import { expect, test as base } from './fixtures/host-test.ts';
import { startTalk, talkState, waitUntilLive } from './fixtures/pages/talk-page.ts';
import { type FaultyGateway, serveFaults, serverSettings } from './fixtures/servers.ts';

interface FaultFixtures {
  readonly faults: readonly Fault[];
  readonly gatewayFlags: readonly string[];
  readonly assistant: NonNullable<SettingsPatch['assistant']>;
  readonly gateway: FaultyGateway;
}

const test = base.extend<FaultFixtures>({
  faults: [[], { option: true }],
  gatewayFlags: [[], { option: true }],
  assistant: [{}, { option: true }],
  gateway: async ({ faults, gatewayFlags }, use) => {
    const gateway = await serveFaults(faults, gatewayFlags);
    await use(gateway);
    await gateway.end();
  },
  stored: ({ gateway, assistant }, use) =>
    use({ ...serverSettings(gateway.url), talking: { longTalks: 'ask' }, assistant }),
});

const title = (page: Page) => page.getByRole('heading', { level: 1 });

test.describe('a refused token', () => {
  test.use({ faults: [{ kind: 'refuse', status: 401, body: 'token expired' }] });

  test('shows what to do, and the server’s own words @nightly', async ({ page }) => {
    await page.getByRole('button', { name: 'Start talking' }).click();
    await expect(title(page)).toHaveText('The server refused access.');
    await expect(page.getByText('Check the access token of this server.').first()).toBeVisible();
    await expect(page.getByText('token expired').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});

test.describe('a server with one worker', () => {
  test.use({ gatewayFlags: ['--workers', '1', '--queue', '4'] });

  test('queues the user, plays a sound at their turn, and answers', async ({ page, gateway }) => {
    const other = new WebSocket(`${gateway.url}?mode=audio`);
    await once(other, 'message');
    await page.evaluate(() => {
      const Sound = window.AudioContext;
      Reflect.set(window, 'rung', 0);
      window.AudioContext = class extends Sound {
        constructor() {
          super();
          Reflect.set(window, 'rung', Number(Reflect.get(window, 'rung') as unknown) + 1);
        }
      };
    });
    await page.getByRole('button', { name: 'Start talking' }).click();
    await expect(talkState(page)).toHaveText('Waiting in queue');
    await expect(page.getByText('1 of 1')).toBeVisible();
    await expect(page.getByRole('switch', { name: 'Play a sound when it moves' })).toBeChecked();
    other.close();
    await waitUntilLive(page);
    expect(await page.evaluate(() => Reflect.get(window, 'rung') as unknown)).toBe(1);
  });
});

test.describe('a field that the server rejects', () => {
  test.use({
    faults: [{ kind: 'refusedField', field: 'beam_width' }],
    assistant: { configs: { everyday: { beam_width: 4 } } },
  });

  test('is named, and can be left out for this server @nightly', async ({ page }) => {
    await page.getByRole('button', { name: 'Start talking' }).click();
    await expect(title(page)).toHaveText('Can’t use this server with these settings.');
    await expect(page.getByText('The server does not take “beam_width”').first()).toBeVisible();
    await page.getByRole('button', { name: 'Leave it out for this server' }).click();
    await waitUntilLive(page);
  });
});

test.describe('a connection that is cut', () => {
  test.use({ faults: [{ kind: 'drop', session: 1, atStep: 2 }] });

  test('is reported, and Parley reconnects @nightly', async ({ page }) => {
    await startTalk(page);
    await page.waitForFunction(
      () => document.querySelector('.banner h2')?.textContent === 'Reconnecting…',
    );

    await waitUntilLive(page);
  });
});

test('a screen that crashes shows that it crashed and can be retried while the others work @nightly', async ({
  page,
  running,
}) => {
  running.consoleWatch.allow(/planted|error occurred in/);
  await page.evaluate(() => {
    const real = Reflect.get(String.prototype, 'matchAll') as unknown;
    Reflect.set(globalThis, 'repair', () => Reflect.set(String.prototype, 'matchAll', real));
    Reflect.set(String.prototype, 'matchAll', () => {
      throw new Error('planted: what somebody has written');
    });
  });
  const places = page.getByRole('navigation', { name: 'Places' });
  await places.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Privacy' }).click();
  const broken = page.getByText('This part of the window crashed. Everything else works.');
  await expect(broken).toBeVisible();

  await page.getByRole('button', { name: 'Copy diagnostics' }).click();
  await expect(page.getByText('Copied.')).toBeVisible();
  await places.getByRole('button', { name: 'Talk' }).click();
  await expect(page.getByRole('button', { name: 'Start talking' })).toBeVisible();
  await expect(broken).toHaveCount(0);

  await places.getByRole('button', { name: 'Settings' }).click();
  await expect(broken).toBeVisible();
  await page.evaluate(() => (Reflect.get(globalThis, 'repair') as () => void)());
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Privacy', level: 1 })).toBeVisible();
});
