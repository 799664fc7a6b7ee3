import type { ElectronApplication, Page } from '@playwright/test';
import { Lifetime } from '../../../shared/lifetime.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { windows } from '../fixtures/pages/app-windows.ts';
import { talkState } from '../fixtures/pages/talk-page.ts';
import { skipWithoutSoundCard, speakSentence } from '../fixtures/sound-card.ts';
import { startWindowManager } from '../fixtures/window-manager.ts';

// A hidden page receives no notices of a talk, and the talk so far once it is shown.

const patient = { timeout: 30_000 };

const recordMessages = (electron: ElectronApplication) =>
  electron.evaluate(({ BrowserWindow }) => {
    const sent: string[] = [];
    Reflect.set(globalThis, 'sent', sent);
    for (const { webContents } of BrowserWindow.getAllWindows()) {
      const send = webContents.send.bind(webContents);
      webContents.send = (channel, ...args: readonly unknown[]) => {
        sent.push(JSON.stringify(args).slice(0, 200));
        send(channel, ...args);
      };
    }
  });

const messages = (electron: ElectronApplication) =>
  electron.evaluate(() => Reflect.get(globalThis, 'sent') as readonly string[]);

/** Whether the devices are open, so that no notice about them is pending. */
async function isHeard(page: Page): Promise<boolean> {
  const talk = await page.evaluate(() => window.parley?.request('talk', undefined));
  if (talk?.ok !== true) return false;
  const { devices, controls } = talk.value;
  return (
    controls.passing && devices.microphone.kind === 'using' && devices.speaker.kind === 'using'
  );
}

for (const away of ['hide', 'minimize'] as const)
  test(`a page gets no notices of a talk after ${away}, and the talk so far once it is shown`, async ({
    electron,
    page,
  }) => {
    skipWithoutSoundCard();
    test.setTimeout(120_000);
    const lifetime = new Lifetime('a managed screen');
    try {
      await startWindowManager(lifetime);
      await page.getByRole('button', { name: 'Start talking' }).click();
      await expect(talkState(page)).toContainText('Live', patient);
      await expect.poll(() => isHeard(page), patient).toBe(true);
      await electron.evaluate(({ BrowserWindow }, away) => {
        BrowserWindow.getAllWindows()[0]?.[away]();
      }, away);
      await expect
        .poll(() => windows(electron))
        .toEqual([away === 'hide' ? 'hidden' : 'minimized']);
      await recordMessages(electron);
      await speakSentence();
      await page.waitForTimeout(8000);
      expect(await messages(electron), 'messages to a page that nobody sees').toEqual([]);
      await electron.evaluate(({ BrowserWindow }, away) => {
        const window = BrowserWindow.getAllWindows()[0];
        if (away === 'hide') window?.show();
        else window?.restore();
      }, away);
      await expect(page.locator('.caption').first()).toContainText(/\w+ \w+/, patient);
      expect(await messages(electron)).not.toEqual([]);
    } finally {
      await lifetime.end();
    }
  });
