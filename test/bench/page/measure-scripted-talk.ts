import { readFileSync } from 'node:fs';
import type { CDPSession, Page } from '@playwright/test';
import { option } from '../bench-helpers.ts';

const earlierWords = 10_000;
const lateMs = 20;

/** Frame times with captions and levels, compared in turns with an idle page. */
export async function measureFrames(page: Page): Promise<readonly string[]> {
  const forMs = Number(option('--seconds') ?? 10) * 1000;
  await page.setViewportSize({ width: 900, height: 680 });
  const busy: ScriptRun[] = [];
  const idle: ScriptRun[] = [];
  for (let round = 0; round < 3; round += 1) {
    const script = { earlierWords, forMs, speed: 1 };
    busy.push(await page.evaluate(playTalkScript, script));
    idle.push(await page.evaluate(playTalkScript, { ...script, silent: true }));
  }
  return [
    `with ${earlierWords} earlier words, 40 levels and 5 words a second: ${formatFrames(busy)}`,
    `the same page without updates: ${formatFrames(idle)}`,
  ];
}

function formatFrames(runs: readonly ScriptRun[]): string {
  const frames = runs.flatMap(({ frames }) => frames).toSorted((a, b) => a - b);
  const seconds = frames.reduce((sum, one) => sum + one, 0) / 1000;
  const late = frames.filter((one) => one > lateMs).length;
  const longest = frames.at(-1) ?? 0;
  return (
    `${(frames.length / seconds).toFixed(1)} frames a second, ` +
    `${late} of ${frames.length} over ${lateMs} ms, the longest ${longest.toFixed(0)} ms`
  );
}

const speed = 20;
const minutes = 30;
const limitMb = 30;

interface Memory {
  readonly heap: number;
  readonly rss: number;
}

/** Growth of the page's process after half an hour of notices at twenty times the speed. */
export async function measureMemory(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  // The first minute loads and compiles code, and is not counted.
  const first = (60 * 1000) / speed;
  await page.evaluate(playTalkScript, { earlierWords: 0, forMs: first, speed });
  const before = await memoryOf(session, page);
  const forMs = (minutes * 60 * 1000) / speed;
  const { words, levels } = await page.evaluate(playTalkScript, { earlierWords: 0, forMs, speed });
  const after = await memoryOf(session, page);
  const grown = after.rss - before.rss;
  return [
    `${words} words and ${levels} levels, as in ${minutes} minutes, sent within ${forMs / 1000} s`,
    `after a collection: heap ${shown(before.heap)} to ${shown(after.heap)} MB, ` +
      `process ${shown(before.rss)} to ${shown(after.rss)} MB`,
    `limit +${limitMb} MB: ${grown <= limitMb ? 'met' : 'NOT MET'} (${grown.toFixed(1)})`,
  ];
}

async function memoryOf(session: CDPSession, page: Page): Promise<Memory> {
  for (let time = 0; time < 3; time += 1) {
    await session.send('HeapProfiler.collectGarbage');
    await page.waitForTimeout(500);
  }
  const { metrics } = await session.send('Performance.getMetrics');
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
  return { heap: heap / 1024 / 1024, rss: await rendererRss(page) };
}

/** Memory of the largest renderer; the browser also has a small spare one. */
async function rendererRss(page: Page): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) return Number.NaN;
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      const status = readFileSync(`/proc/${id}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
    });
  return Math.max(...sizes);
}

const shown = (megabytes: number): string => megabytes.toFixed(1);

/**
 * Runs in the gallery's page: a live talk with 40 level notices and five caption notices per second, at `speed` times the
 * rate, for `forMs`, after a given number of earlier words.
 */
interface TalkScript {
  readonly earlierWords: number;
  readonly forMs: number;
  readonly speed: number;
  /** Sends no notices, to measure the engine alone. */
  readonly silent?: boolean;
}

interface ScriptRun {
  readonly frames: readonly number[];
  readonly words: number;
  readonly levels: number;
}

async function playTalkScript({
  earlierWords,
  forMs,
  speed,
  silent,
}: TalkScript): Promise<ScriptRun> {
  const { gallery } = window;
  if (gallery === undefined) throw new Error('The gallery has not been started.');
  const turnOf = 20;
  let turn = 0;
  let said = 0;
  const say = (): void => {
    if (said % turnOf === 0) turn += 1;
    const added = `word${said} `;
    said += 1;
    gallery.emit({
      name: 'caption',
      payload: { turn, added, ...(said % turnOf === 0 ? { settled: true } : {}) },
    });
    // Playback follows the text with a delay.
    const heard = Math.max(0, ((said - 1) % turnOf) - 3) * 8;
    gallery.emit({ name: 'caption', payload: { turn, heard } });
  };
  await gallery.show('live-empty', 'light', 'en');
  gallery.startClock();
  for (let word = 0; word < earlierWords; word += 1) say();
  await new Promise((rested) => setTimeout(rested, 1500));
  gallery.commits();

  const frames: number[] = [];
  const before = { words: said, levels: 0 };
  let levels = 0;
  const began = performance.now();
  let last = began;
  return new Promise((done) => {
    const frame = (at: number): void => {
      frames.push(at - last);
      last = at;
      const gone = performance.now() - began;
      if (silent !== true) {
        for (; said - before.words < (gone / 1000) * 5 * speed;) say();
        for (; levels < (gone / 1000) * 40 * speed; levels += 1) {
          const rmsDb = -34 + 18 * Math.sin(levels / 3);
          const who = levels % 2 === 0 ? 'you' : 'parley';
          gallery.emit({ name: 'level', payload: { who, rmsDb, peakDb: rmsDb + 9 } });
        }
      }
      if (frames.length % 600 === 0) gallery.commits();
      if (gone < forMs) requestAnimationFrame(frame);
      else done({ frames: frames.slice(2), words: said - before.words, levels });
    };
    requestAnimationFrame(frame);
  });
}
