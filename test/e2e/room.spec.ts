import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { decodeWav } from '../../shared/audio/wav.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { expect, test } from './fixtures/host-test.ts';
import { openSection, row } from './fixtures/pages/settings-screen.ts';
import { speakSentence, skipWithoutSoundCard } from './fixtures/sound-card.ts';
import type { RunningHost } from './fixtures/running-host.ts';

const patient = { timeout: 90_000 };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const said = (page: Page) => row(page, 'Your room').getByRole('status');

/** Makes the microphone capture what the virtual card plays, until the returned function is called. */
function loopBack(): () => void {
  execFileSync('pactl', ['set-default-source', 'speaker.monitor']);
  return () => {
    execFileSync('pactl', ['set-default-source', 'micsrc']);
  };
}

async function tryRoom(page: Page, speak: () => Promise<void>): Promise<void> {
  await openSection(page, 'Sound');
  await button(page, 'Test this room').click();
  await button(page, 'Begin').click();
  await expect(said(page)).toHaveText(/^Please be quiet\./u, patient);
  await expect(said(page)).toHaveText(/^A voice is playing\./u, patient);
  await button(page, 'I’m ready').click(patient);
  await expect(said(page)).toHaveText(/^Speak now/u);
  await speak();
  await expect(said(page)).toContainText('Noise: quiet', patient);
}

/** Saves the recording in a folder, as the host does it; returns the file names. */
async function saveRecording(
  { page, electron }: RunningHost,
  folder: string,
): Promise<readonly string[]> {
  const keep = button(page, 'Keep the recording…');
  if (electron === undefined) {
    const coming = page.waitForEvent('download');
    await keep.click();
    const download = await coming;
    await expect(said(page)).toHaveText(/^Your browser is saving room-\d{8}T\d{6}\.zip$/u);
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
  await expect(said(page)).toHaveText(`The recording is in ${folder}`);
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
    // `sound-checks` checks the measurements; a busy machine spoils them here.
    await expect(said(page)).toContainText(/echo.+Your voice: /iu);
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
    await button(page, 'Done').click();
    await expect(button(page, 'Test this room')).toBeFocused();
  } finally {
    goBack();
  }
});

test('the room test with a headset finds no echo, and the recording can be discarded', async ({
  page,
}) => {
  skipWithoutSoundCard();
  test.setTimeout(240_000);
  await tryRoom(page, () => speakSentence());
  await expect(said(page)).toContainText('No echo is heard: a headset, or the volume is down.');
  await expect(said(page)).toContainText('Your voice: heard over the echo');
  await button(page, 'Throw away').click();
  await expect(said(page)).toHaveText('Thrown away. Nothing was kept.');
  await expect(button(page, 'Test this room')).toBeFocused();
  await expect(button(page, 'Keep the recording…')).toHaveCount(0);
});
