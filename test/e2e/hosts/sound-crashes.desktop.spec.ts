import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../fixtures/host-test.ts';
import { openDesktop } from '../fixtures/open-desktop.ts';
import { answers, ask, openChat } from '../fixtures/pages/chat-page.ts';
import { settingsAfterFirstRun, stateDirEnvironment } from '../fixtures/running-host.ts';

const patient = { timeout: 30_000 };

test('a sound system that crashes its callers does not crash Parley, which reports it and continues', async ({
  host,
  language,
  home,
}) => {
  test.skip(
    process.platform !== 'linux',
    'only ALSA accepts an empty configuration from the environment',
  );
  const nothing = join(home, 'asound.conf');
  await writeFile(nothing, '');
  const environment = { ALSA_CONFIG_PATH: nothing };
  const { page, close, consoleWatch } = await openDesktop({
    kind: host,
    language,
    home,
    stored: settingsAfterFirstRun,
    environment,
  });
  try {
    const log = (): string => {
      const { PARLEY_STATE_DIR } = stateDirEnvironment(home);
      const file = join(PARLEY_STATE_DIR, 'logs/parley.log');
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    };
    // The tray lists devices some time after the start.
    await expect.poll(log, patient).toContain('the sound system crashed the probe process: ');
    expect(log()).toContain('BuildDeviceList: Assertion');
    const sentence = page.getByText(/crashes every program that uses it/);
    await page.getByRole('button', { name: 'Start talking' }).click();
    await expect(sentence.first()).toBeVisible(patient);
    await page.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Sound' }).click();
    await expect(sentence.first()).toBeVisible(patient);
    await openChat(page);
    await ask(page, 'Reply with exactly: Reinette');
    await expect(answers(page)).toContainText('Reinette', patient);
    expect(consoleWatch.unexpected()).toEqual([]);
  } finally {
    // Throws if the app did not end with 0.
    await close();
  }
});
