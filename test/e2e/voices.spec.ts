import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { encodeWav } from '../../shared/audio/wav.ts';
import { listenToSpeaker } from '../fakes/virtual-card.ts';
import { expect, test } from './fixtures/host-test.ts';
import { openSection } from './fixtures/pages/settings-screen.ts';
import { speakSentence, skipWithoutSoundCard } from './fixtures/sound-card.ts';

const patient = { timeout: 20_000 };

const voice = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

test('a voice can be recorded, played, renamed and deleted', async ({ page }) => {
  skipWithoutSoundCard();
  await openSection(page, 'Voices');
  await page.getByRole('textbox', { name: 'Name of the voice' }).fill('Ann');
  await page.getByRole('button', { name: 'Record' }).click();
  await expect(page.getByText(/^Recording: \d+ s$/)).toBeVisible(patient);
  await speakSentence('hello');
  await page.getByRole('button', { name: 'Save' }).click();
  // The length shows that the sound came through the card.
  await expect(voice(page, 'Ann')).toContainText(/^Ann[3-9](\.\d)? s$/, patient);

  const speaker = listenToSpeaker(16_000);
  await page.getByRole('button', { name: 'Play Ann' }).click();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible(patient);
  await speaker.waitForLevel(0.05);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Play Ann' })).toBeVisible();
  await speaker.end();

  await page.getByRole('button', { name: 'Rename Ann' }).click();
  const name = page.getByRole('listitem').getByRole('textbox', { name: 'Name of the voice' });
  await name.fill('Bea');
  await name.press('Enter');
  await expect(voice(page, 'Bea')).toHaveCount(1);
  await expect(voice(page, 'Ann')).toHaveCount(0);

  await page.getByRole('button', { name: 'Remove Bea' }).click();
  await expect(page.getByText('No voices yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await expect(page.getByText('No voices yet.')).toBeVisible();
});

test('a voice can come from a file, and an hour of sound is refused in a sentence', async ({
  page,
  home,
}) => {
  await openSection(page, 'Voices');
  const picker = page.locator('input[type="file"]');
  await picker.setInputFiles(resolve(import.meta.dirname, '../../resources/speech/hello.wav'));
  await expect(voice(page, 'hello')).toContainText(/\d s/);
  await picker.setInputFiles(await hourOfSound(home));
  await expect(page.getByText(/This file is 60 minutes long. The limit is two/)).toBeVisible();
  await expect(page.locator('.voice')).toHaveCount(1);
});

/** A sparse WAV file whose header claims an hour. */
async function hourOfSound(folder: string): Promise<string> {
  const path = join(folder, 'hour.wav');
  const head = encodeWav(new Float32Array(1), { rate: 16_000, channels: 1, coding: 'pcm16' });
  const bytes = 3600 * 32_000;
  new DataView(head.buffer, head.byteOffset).setUint32(40, bytes, true);
  const file = await open(path, 'w');
  await file.write(head.subarray(0, 44));
  await file.truncate(44 + bytes);
  await file.close();
  return path;
}
