import { setTimeout as delay } from 'node:timers/promises';
import type { ElectronApplication, Page } from '@playwright/test';
import { fakeCameraFlags } from '../../e2e/fixtures/fake-camera.ts';
import { openDesktop } from '../../e2e/fixtures/open-desktop.ts';
import { speakSentence, openIsolatedSoundServer } from '../../e2e/fixtures/sound-card.ts';

const limitMb = 30;
const minuteMs = 60_000;
const reportEveryMinutes = 5;
/** Time to listen to an answer. */
const listenForMs = 8000;

/**
 * A real half hour: a talk with camera in the real app, with a sentence every few seconds, answers, and automatic
 * hand-overs. It reads the memory of the page's and the main process after the first minute and every five.
 */
export async function measureHalfHour(minutes: number): Promise<readonly string[]> {
  const card = await openIsolatedSoundServer();
  const flags = fakeCameraFlags();
  const running = await openDesktop({ kind: 'desktop', language: 'en-GB', flags });
  const { electron, page } = running;
  try {
    if (electron === undefined) throw new Error('Electron has not been started.');
    await countNotices(page);
    await page.getByRole('button', { name: 'Start with the camera' }).click();
    const state = page.getByRole('region', { name: 'This talk' }).getByRole('status');
    await state.getByText('Live').waitFor({ timeout: minuteMs });
    await talkFor(page, 1);
    const sizes = [await sizesOf(electron, page)];
    let sentences = 0;
    for (let gone = 0; gone < minutes; gone += reportEveryMinutes) {
      sentences += await talkFor(page, Math.min(reportEveryMinutes, minutes - gone));
      sizes.push(await sizesOf(electron, page));
    }
    const grown = (sizes.at(-1)?.page ?? Number.NaN) - (sizes[0]?.page ?? Number.NaN);
    const { sessions, frames, words } = await tallyOf(page);
    return [
      `${minutes} minutes of a talk with camera: ${sentences} sentences spoken, ${sessions} sessions, ` +
        `${frames} pictures sent, ${words} words of captions`,
      `the window's page, every ${reportEveryMinutes} minutes: ${list(sizes.map((size) => size.page))} MB`,
      `the main process: ${list(sizes.map((size) => size.main))} MB`,
      `limit +${limitMb} MB for the page: ${grown <= limitMb ? 'met' : 'NOT MET'} (${grown.toFixed(1)})`,
    ];
  } finally {
    await running.close();
    await card.end();
  }
}

interface Tally {
  readonly sessions: number;
  readonly frames: number;
  readonly words: number;
}

/** Counts the page's notices, to prove that the talk was active. */
function countNotices(page: Page): Promise<void> {
  return page.evaluate(() => {
    const tally = { sessions: 0, frames: 0, words: 0 };
    Reflect.set(window, 'tally', tally);
    window.parley?.onNotice(({ name, payload }) => {
      if (name === 'talkState' && payload.phase === 'live') tally.sessions += 1;
      if (name === 'frameSent') tally.frames += 1;
      if (name === 'caption')
        tally.words += payload.added?.split(/\s+/).filter(Boolean).length ?? 0;
    });
  });
}

function tallyOf(page: Page): Promise<Tally> {
  return page.evaluate(() => Reflect.get(window, 'tally') as Tally);
}

async function talkFor(page: Page, minutes: number): Promise<number> {
  const until = Date.now() + minutes * minuteMs;
  let sentences = 0;
  while (Date.now() < until) {
    // A session may reach its time limit, and users continue the talk.
    const resume = page.getByRole('button', { name: 'Continue' });
    if (await resume.isVisible()) await resume.click();
    await speakSentence(sentences % 2 === 0 ? 'hear' : 'hello');
    sentences += 1;
    await delay(listenForMs);
  }
  return sentences;
}

interface Sizes {
  readonly page: number;
  readonly main: number;
}

async function sizesOf(electron: ElectronApplication, page: Page): Promise<Sizes> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.detach();
  return electron.evaluate(({ app, BrowserWindow }) => {
    const metrics = app.getAppMetrics();
    const pid = BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId();
    const of = (its: (metric: Electron.ProcessMetric) => boolean): number =>
      (metrics.find(its)?.memory.workingSetSize ?? Number.NaN) / 1024;
    return { page: of((one) => one.pid === pid), main: of((one) => one.type === 'Browser') };
  });
}

const list = (values: readonly number[]): string =>
  values.map((value) => value.toFixed(0)).join(', ');
