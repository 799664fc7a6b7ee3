import type { Page } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeWav } from '../../shared/audio/wav.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { listenToSpeaker } from '../fakes/virtual-card.ts';
import { expect, test } from './fixtures/host-test.ts';
import { openSection, row } from './fixtures/pages/settings-screen.ts';
import type { RunningHost } from './fixtures/running-host.ts';
import { skipWithoutSoundCard, speakSentence } from './fixtures/sound-card.ts';

test('the user can hear themselves as the microphone and as the server does, by keyboard', async ({
  page,
}) => {
  skipWithoutSoundCard();
  await openSection(page, 'Sound');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Record five seconds').focus();
  await page.keyboard.press('Enter');
  const prompt = page.getByRole('status').filter({ hasText: 'Speak now…' });
  await expect(prompt).toBeVisible();
  await expect(button('As the microphone hears you')).toHaveCount(0);
  await speakSentence('hello');
  const verdict = page.getByRole('status').filter({ hasText: 'Now listen to both.' });
  await expect(verdict).toBeVisible();
  // Noise reduction and level are off by default, and the page says so.
  await expect(page.getByText('Both sound the same now.')).toBeVisible();

  for (const name of ['As the microphone hears you', 'As the server hears you']) {
    const speaker = listenToSpeaker(16_000);
    await page.keyboard.press('Tab');
    await expect(button(name)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Playing…')).toBeVisible();
    await speaker.waitForLevel(0.05);
    await speaker.end();
    await expect(page.getByText('Playing…')).toHaveCount(0);
  }

  await openSection(page, 'Voices');
  await openSection(page, 'Sound');
  await expect(button('Record five seconds')).toBeVisible();
  await expect(button('As the server hears you')).toHaveCount(0);
});

const voice = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

test('a voice can be recorded, played, renamed and deleted', async ({ page }) => {
  skipWithoutSoundCard();
  await openSection(page, 'Voices');
  await page.getByRole('textbox', { name: 'Name of the voice' }).fill('Ann');
  await page.getByRole('button', { name: 'Record' }).click();
  await expect(page.getByText(/^Recording: \d+ s$/)).toBeVisible();
  await speakSentence('hello');
  await page.getByRole('button', { name: 'Save' }).click();
  // The length shows that the sound came through the card.
  await expect(voice(page, 'Ann')).toContainText(/^Ann[3-9](\.\d)? s$/);

  const speaker = listenToSpeaker(16_000);
  await page.getByRole('button', { name: 'Play Ann' }).click();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
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

const patientRoom = { timeout: 90_000 };

const exactButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const roomStatus = (page: Page) => row(page, 'Your room').getByRole('status');

/** Makes the microphone capture what the virtual card plays, until the returned function is called. */
function loopBack(): () => void {
  execFileSync('pactl', ['set-default-source', 'speaker.monitor']);
  return () => {
    execFileSync('pactl', ['set-default-source', 'micsrc']);
  };
}

async function tryRoom(page: Page, speak: () => Promise<void>): Promise<void> {
  await openSection(page, 'Sound');
  await exactButton(page, 'Test this room').click();
  await exactButton(page, 'Begin').click();
  await expect(roomStatus(page)).toHaveText(/^Please be quiet\./u, patientRoom);
  await expect(roomStatus(page)).toHaveText(/^A voice is playing\./u, patientRoom);
  await exactButton(page, 'I’m ready').click(patientRoom);
  await expect(roomStatus(page)).toHaveText(/^Speak now/u);
  await speak();
  await expect(roomStatus(page)).toContainText('Noise: quiet', patientRoom);
}

/** Saves the recording in a folder, as the host does it; returns the file names. */
async function saveRecording(
  { page, electron }: RunningHost,
  folder: string,
): Promise<readonly string[]> {
  const keep = exactButton(page, 'Keep the recording…');
  if (electron === undefined) {
    const coming = page.waitForEvent('download');
    await keep.click();
    const download = await coming;
    await expect(roomStatus(page)).toHaveText(/^Your browser is saving room-\d{8}T\d{6}\.zip$/u);
    await download.saveAs(join(folder, 'room.zip'));
    execFileSync('unzip', ['-q', join(folder, 'room.zip'), '-d', folder]);
    return readdirSync(folder).filter((name) => name !== 'room.zip');
  }
  const choose = (folders: readonly string[]): Promise<void> =>
    electron.evaluate(({ dialog }, filePaths) => {
      const chosen = { canceled: filePaths.length === 0, filePaths: [...filePaths] };
      dialog.showOpenDialog = () => Promise.resolve(chosen);
    }, folders);
  await choose([]);
  await keep.click();
  await expect(keep).toHaveAttribute('aria-disabled', 'false');
  expect(readdirSync(folder)).toEqual([]);
  await choose([folder]);
  await keep.click();
  await expect(roomStatus(page)).toHaveText(`The recording is in ${folder}`);
  return readdirSync(folder);
}

test('the room test reports echo and voice, and saves four WAV files in the chosen folder', async ({
  start,
  home,
}) => {
  skipWithoutSoundCard();
  test.setTimeout(240_000);
  const host = await start();
  const { page } = host;
  const goBack = loopBack();
  try {
    await tryRoom(page, () => Promise.resolve());
    // `echo-room.test.ts` checks the measurements; here a busy machine would distort them.
    await expect(roomStatus(page)).toContainText(/echo.+Your voice: /iu);
    const folder = join(home, 'rooms');
    mkdirSync(folder);
    const files = await saveRecording(host, folder);
    expect(files.map((name) => name.replace(/\d{8}T\d{6}/u, 'TIME')).toSorted()).toEqual([
      'room-TIME_doubletalk_lpb.wav',
      'room-TIME_doubletalk_mic.wav',
      'room-TIME_lpb.wav',
      'room-TIME_mic.wav',
    ]);
    const [overPlayed, over, alonePlayed, alone] = files.toSorted().map((name) => {
      const wav = decodeWav(new Uint8Array(readFileSync(join(folder, name))));
      return wav.ok ? wav.value.samples.length : wav.error.code;
    });
    expect([over, alone]).toEqual([overPlayed, alonePlayed]);
    expect(alone).toBeGreaterThan(5 * inputRate);
    await exactButton(page, 'Done').click();
    await expect(exactButton(page, 'Test this room')).toBeFocused();
  } finally {
    goBack();
  }
});
