import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import {
  answers,
  ask,
  field,
  clickUntilHidden,
  makePicture,
  openChat,
  patient,
  questions,
} from './fixtures/pages/chat-page.ts';
import { expect, test } from './fixtures/host-test.ts';
import { openSection } from './fixtures/pages/settings-screen.ts';
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
  test.setTimeout(90_000);
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
  await expect(answers(page)).toContainText('I see a picture', patient);
  await test.step('captions follow the speech through the text', async () => {
    await expect(page.locator('[data-heard="no"]').first()).toBeVisible(patient);
    await page.getByRole('button', { name: 'Stop reading' }).click();
    await expect(page.locator('[data-heard="no"]')).toHaveCount(0);
  });
  await test.step('the answer is read aloud again and stopped', async () => {
    await page.getByRole('button', { name: 'Read aloud' }).click(patient);
    await page.getByRole('button', { name: 'Stop reading' }).click(patient);
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
  await expect(answers(page)).toContainText('I see a picture', patient);
});

test('a recording is sent, even after switching screens', async ({ page }) => {
  skipWithoutSoundCard();
  await openChat(page);
  await page.getByRole('button', { name: 'Record a sound' }).dblclick();
  await expect(page.locator('.clip-time')).toHaveText('0:01', patient);
  const places = page.getByRole('navigation');
  await places.getByRole('button', { name: 'Talk' }).click();
  await places.getByRole('button', { name: 'Chat' }).click();
  const attached = page.getByRole('list', { name: 'Attached' });
  await expect(attached.getByRole('button', { name: /^Play the recording/ })).toBeVisible();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(answers(page)).toContainText(/I received \d+\.\d seconds of sound/, patient);
  await page.getByRole('button', { name: /^Play the recording/ }).click();
  await expect(page.getByRole('button', { name: /^Pause the recording/ })).toBeVisible();

  await page.getByRole('button', { name: 'Record a sound' }).click();
  await page.getByRole('button', { name: 'Discard the recording' }).click();
  await expect(page.getByRole('button', { name: 'Record a sound' })).toBeVisible();
  await expect(attached).toHaveCount(0);
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

const question = 'What did I say about the lighthouse?';
const told = 'The lighthouse of Ona is red.';

test('a message about an earlier chat names its passage, which can be taken out and opened', async ({
  start,
}) => {
  const { page } = await start({ privacy: { keepChats: true }, memory: { past: true } });
  await openChat(page);
  await ask(page, told);
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false', patient);
  await page.getByRole('button', { name: 'New chat' }).click();
  await expect(questions(page)).toHaveCount(0);

  const leaveOut = page.getByRole('button', { name: `Don’t use “${told}”` });
  await field(page).fill(question);
  await expect(leaveOut).toBeVisible(patient);
  await leaveOut.click();
  await expect(leaveOut).toBeHidden();
  await field(page).press('Enter');
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false', patient);
  await expect(questions(page).last()).not.toContainText(told);

  await ask(page, question);
  await expect(questions(page)).toHaveCount(2);
  await expect(questions(page).last()).toContainText(told, patient);
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false', patient);
  await questions(page)
    .last()
    .getByRole('button', { name: new RegExp(`^${told}`, 'u') })
    .click();
  await expect(questions(page)).toHaveCount(1);
  await expect(questions(page)).toContainText(told);
});

test('a tool is switched on, asked for, allowed, and its answer shown and stored', async ({
  page,
}) => {
  await openSection(page, 'Tools');
  await page.getByRole('switch', { name: 'Clock and calculator' }).click();
  await page.getByRole('switch', { name: 'Reminders' }).click();

  await openChat(page);
  await ask(page, 'What is 6 * 7');
  const question = answers(page).getByRole('alert');
  await expect(question).toHaveText('Parley wants to use Calculator.', patient);
  await expect(answers(page)).toContainText('6 * 7');
  // Keys that the user types go on into the message.
  await page.keyboard.type(' and so on ');
  await page.keyboard.press('Enter');
  await expect(question).toBeVisible();
  await expect(field(page)).toHaveValue(/and so on/u);
  await field(page).fill('');
  await clickUntilHidden(page.getByRole('button', { name: 'Allow once' }), question);
  await expect(answers(page)).toContainText('The tool says: 42', patient);
  await expect(answers(page)).not.toContainText('tool_call');
  await answers(page).getByText('done', { exact: true }).click();
  await expect(answers(page).locator('.tool-response')).toHaveText('42');

  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false', patient);
  await ask(page, 'Remind me in 10 minutes to call home');
  await expect(answers(page).last()).toContainText('call home', patient);
  await clickUntilHidden(page.getByRole('button', { name: 'Don’t allow' }));
  await expect(answers(page).last()).toContainText('not allowed', patient);
});
