import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import {
  answers,
  ask,
  field,
  makePicture,
  openChat,
  questions,
} from './fixtures/pages/chat-page.ts';
import { expect, test } from './fixtures/host-test.ts';
import { skipWithoutSoundCard } from './fixtures/sound-card.ts';

/** Drags files over the middle of the page; the returned function drops them. */
async function dropFiles(page: Page, files: readonly string[]): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  const { width, height } = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  const step = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    devtools.send('Input.dispatchDragEvent', { type, x: width / 2, y: height / 2, data });
  await step('dragEnter');
  await step('dragOver');
  return async () => {
    await step('drop');
    await devtools.detach();
  };
}

test('the model sees picked and pasted pictures, and the answer is spoken', async ({ page }) => {
  await openChat(page);
  await page.getByRole('button', { name: 'Answers are not spoken' }).click();
  await expect(page.getByRole('button', { name: 'Answers are spoken' })).toBeVisible();
  const picture = await makePicture(320, 240);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Attach a picture or a sound' }).click(),
  ]);
  await chooser.setFiles({ name: 'red.jpg', mimeType: 'image/jpeg', buffer: picture });
  const attached = page.getByRole('list', { name: 'Attached' });
  await expect(attached.getByRole('img')).toHaveCount(1);
  await paste(page, picture);
  await expect(attached.getByRole('img')).toHaveCount(2);
  await page.getByRole('button', { name: 'Remove pasted.jpg' }).click();
  await expect(attached.getByRole('img')).toHaveCount(1);
  await paste(page, picture);
  // Wait for the picture, because sending waits for unread files.
  await expect(attached.getByRole('img')).toHaveCount(2);
  await ask(page, 'What do you see?');

  await expect(questions(page).getByRole('img')).toHaveCount(2);
  await expect(answers(page)).toContainText('I see a picture');
  await test.step('captions follow the speech through the text', async () => {
    await expect(page.locator('[data-heard="no"]').first()).toBeVisible();
    await page.getByRole('button', { name: 'Stop reading' }).click();
    await expect(page.locator('[data-heard="no"]')).toHaveCount(0);
  });
  await test.step('the answer is read aloud again and stopped', async () => {
    await page.getByRole('button', { name: 'Read aloud' }).click();
    await page.getByRole('button', { name: 'Stop reading' }).click();
    await expect(page.getByRole('button', { name: 'Read aloud' })).toBeVisible();
  });
});

test('a picture and a sound dropped on the conversation are sent', async ({ page, home }) => {
  await openChat(page);
  const picture = join(home, 'red.jpg');
  await writeFile(picture, await makePicture(320, 240));
  const sound = resolve(import.meta.dirname, '../../resources/speech/hear.wav');
  const drop = await dropFiles(page, [picture, sound]);
  await expect(page.getByText('Drop pictures and sounds here')).toBeVisible();
  await drop();
  await expect(page.getByText('Drop pictures and sounds here')).toHaveCount(0);
  const attached = page.getByRole('list', { name: 'Attached' });
  await expect(attached.getByRole('img')).toHaveCount(1);
  await expect(attached.getByRole('button', { name: /^Play the recording/ })).toHaveCount(1);
  await ask(page, 'What did you get?');
  await expect(questions(page).getByRole('img')).toHaveCount(1);
  await expect(answers(page)).toContainText('I see a picture');
});

test('a recording is sent, even after switching screens', async ({ page }) => {
  skipWithoutSoundCard();
  await openChat(page);
  await page.getByRole('button', { name: 'Record a sound' }).dblclick();
  await expect(page.locator('.clip-time')).toHaveText('0:01');
  const places = page.getByRole('navigation');
  await places.getByRole('button', { name: 'Talk' }).click();
  await places.getByRole('button', { name: 'Chat' }).click();
  const attached = page.getByRole('list', { name: 'Attached' });
  await expect(attached.getByRole('button', { name: /^Play the recording/ })).toBeVisible();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(answers(page)).toContainText(/I received \d+\.\d seconds of sound/);
  await page.getByRole('button', { name: /^Play the recording/ }).click();
  await expect(page.getByRole('button', { name: /^Pause the recording/ })).toBeVisible();

  await page.getByRole('button', { name: 'Record a sound' }).click();
  await page.getByRole('button', { name: 'Discard the recording' }).click();
  await expect(page.getByRole('button', { name: 'Record a sound' })).toBeVisible();
  await expect(attached).toHaveCount(0);
});

test('an answer can be stopped while a sound is recorded', async ({ page }) => {
  skipWithoutSoundCard();
  await openChat(page);
  await page.getByRole('button', { name: 'Record a sound' }).click();
  await expect(page.locator('.clip-time')).toHaveText('0:01');
  await page.getByRole('textbox', { name: 'Message' }).fill('Show me some Markdown');
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(answers(page)).toContainText('This answer was stopped.');
  await expect(page.getByRole('button', { name: 'Attach the recording' })).toBeVisible();
});

/** Pastes a picture, as a screenshot tool provides it. */
async function paste(page: Page, picture: Buffer): Promise<void> {
  await field(page).focus();
  await page.evaluate(
    (bytes) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(
        new File([new Uint8Array(bytes)], 'pasted.jpg', { type: 'image/jpeg' }),
      );
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    },
    [...picture],
  );
}
