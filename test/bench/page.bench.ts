import { loadavg } from 'node:os';
import { openGallery } from '../e2e/fixtures/open-gallery.ts';
import { measureFrames } from './page/measure-frames.ts';
import { measureMemory } from './page/measure-memory.ts';

/** The page at work in the system's Chromium, told by a script what a core would tell. */
export async function bench(): Promise<void> {
  const { page, close } = await openGallery();
  try {
    for (const [name, measure] of [
      ['frames', measureFrames],
      ['memory', measureMemory],
    ] as const) {
      const lines = await measure(page);
      const load = loadavg()[0]?.toFixed(1) ?? '';
      process.stdout.write(`${name} (load average ${load})\n  ${lines.join('\n  ')}\n`);
    }
  } finally {
    await close();
  }
}
