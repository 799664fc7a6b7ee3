import type { Page } from '@playwright/test';
import { tellTalk } from './talk-script.ts';
import type { Told } from './talk-script.ts';

const wordsBehind = 10_000;
const lateMs = 20;

/** Frame times with captions and levels, compared in turns with an idle page. */
export async function measureFrames(page: Page): Promise<readonly string[]> {
  const at = process.argv.indexOf('--seconds');
  const forMs = (at === -1 ? 10 : Number(process.argv[at + 1])) * 1000;
  await page.setViewportSize({ width: 900, height: 680 });
  const busy: Told[] = [];
  const idle: Told[] = [];
  for (let round = 0; round < 3; round += 1) {
    const script = { wordsBehind, forMs, speed: 1 };
    busy.push(await page.evaluate(tellTalk, script));
    idle.push(await page.evaluate(tellTalk, { ...script, silent: true }));
  }
  return [
    `with ${wordsBehind} words behind, 40 levels and 5 words a second: ${inWords(busy)}`,
    `the same page without updates: ${inWords(idle)}`,
  ];
}

function inWords(told: readonly Told[]): string {
  const frames = told.flatMap(({ frames }) => frames).toSorted((a, b) => a - b);
  const seconds = frames.reduce((sum, one) => sum + one, 0) / 1000;
  const late = frames.filter((one) => one > lateMs).length;
  const longest = frames.at(-1) ?? 0;
  return (
    `${(frames.length / seconds).toFixed(1)} frames a second, ` +
    `${late} of ${frames.length} over ${lateMs} ms, the longest ${longest.toFixed(0)} ms`
  );
}
