import { readFile, rm } from 'node:fs/promises';
import type { DrivenApp } from '../window/driven-app.ts';

/** A second of them. */
export interface FrameRates {
  /** That came on the screen. */
  readonly painted: number;
  /** For which the page's own thread had something to do. */
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

/** By the engine's own trace, while `meanwhile` goes on; counting costs, so that nothing else is measured then. */
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
