import { readFile, rm } from 'node:fs/promises';
import type { DrivenApp } from '../window/driven-app.ts';

export interface FrameRates {
  /** Frames that appeared on the screen. */
  readonly painted: number;
  /** Frames with work on the page's main thread. */
  readonly made: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
}

const categories = [
  'viz',
  'devtools.timeline.frame',
  'disabled-by-default-devtools.timeline.frame',
];

/** Counts frames from Chromium's trace during `meanwhile`. Tracing has a cost, so nothing else is measured then. */
export async function countFrames(
  { ask }: DrivenApp,
  meanwhile: () => Promise<void>,
): Promise<FrameRates> {
  await ask('trace', categories.join(','));
  const began = performance.now();
  await meanwhile();
  const seconds = (performance.now() - began) / 1000;
  const file = String(await ask('traced'));
  const { traceEvents } = JSON.parse(await readFile(file, 'utf8')) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  await rm(file);
  const rate = (name: string): number =>
    traceEvents.filter((one) => one.name === name && one.ph !== 'E').length / seconds;
  return { painted: rate('Display::DrawAndSwap'), made: rate('BeginMainThreadFrame') };
}
