import { loadavg } from 'node:os';
import { openGallery } from '../e2e/fixtures/open-gallery.ts';
import { raisePriority, raiseSessionPriority, priorityInWords } from './conversation/priority.ts';
import { measureHalfHour } from './page/measure-half-hour.ts';
import { measureFrames, measureMemory } from './page/measure-scripted-talk.ts';
import { measureTalk } from './page/measure-talk.ts';
import { measureWindow } from './page/measure-window.ts';
import { option } from './bench-helpers.ts';

/**
 * Measures the page under load, with scripted notices instead of a core, in the system's Chromium, and in the window of the last
 * build. The option `--only frames` selects one measurement. `--only half-hour` and `--only talk` (`--kind voice` or `camera`,
 * `--folder` of another build) use a real core in real time, and run only if selected.
 */
export async function bench(): Promise<void> {
  raiseSessionPriority();
  raisePriority(process.pid);
  process.stdout.write(`${priorityInWords}.\n`);
  const only = option('--only');
  const measures: Readonly<Record<string, () => Promise<readonly string[]>>> = {
    frames: () => inGallery(measureFrames),
    memory: () => inGallery(measureMemory),
    window: measureWindow,
    ...(only === 'talk' && {
      talk: () =>
        measureTalk(Number(option('--seconds') ?? 10), option('--kind'), option('--folder')),
    }),
    ...(only === 'half-hour' && {
      'half-hour': () => measureHalfHour(Number(option('--minutes') ?? 30)),
    }),
  };
  for (const [name, measure] of Object.entries(measures)) {
    if (only !== undefined && only !== name) continue;
    const lines = await measure();
    const load = loadavg()[0]?.toFixed(1) ?? '';
    process.stdout.write(`${name} (load average ${load})\n  ${lines.join('\n  ')}\n`);
  }
}

async function inGallery(
  measure: (page: Awaited<ReturnType<typeof openGallery>>['page']) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const { page, close } = await openGallery();
  try {
    return await measure(page);
  } finally {
    await close();
  }
}
