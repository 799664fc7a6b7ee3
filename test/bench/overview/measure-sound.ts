import { Stop } from '../../../scripts/lib/stop.mjs';
import { SoundServer } from '../../contract/sound/sound-server.ts';
import { delaysOf } from '../sound/measure-delays.ts';
import type { Delays } from '../sound/measure-delays.ts';
import { queuedMs } from '../sound/naudiodon-path.ts';
import { Stage } from '../sound/stage.ts';
import { median } from './row.ts';
import type { Row } from './row.ts';

/** The driver at a virtual card, beside plain naudiodon with four blocks of 20 ms queued. */
export async function measureSound(): Promise<readonly Row[]> {
  const baseline = await plainDelays();
  const ours = await delaysAt('ours');
  const again = await plainDelays();
  const row = (id: string, what: string, of: (delays: Delays) => readonly number[]): Row => ({
    id,
    section: 'Sound',
    what,
    unit: 'ms',
    ours: median(of(ours)),
    beside: 'plain naudiodon',
    baseline: median(of(baseline)),
    again: median(of(again)),
  });
  return [
    row('sound.begin', 'from a write to its sound at the speaker', ({ sounds }) => sounds),
    row('sound.silence', 'from a stop to silence at the speaker', ({ silences }) => silences),
    row('sound.capture', 'from a sound at the microphone to its block', ({ blocks }) => blocks),
  ];
}

/** What is heard before the queue has played cannot be what was written behind it. */
async function plainDelays(): Promise<Delays> {
  const delays = await delaysAt('naudiodon');
  const found = median(delays.sounds);
  if (found < queuedMs)
    throw new Stop(
      `Plain naudiodon has ${queuedMs} ms queued, and was heard after ${found.toFixed(1)}: it is no baseline.`,
      1,
    );
  return delays;
}

/** Each on a sound server of its own, which has nothing else to do. */
async function delaysAt(which: 'ours' | 'naudiodon'): Promise<Delays> {
  const server = new SoundServer();
  await server.start();
  const stage = await Stage.open(which, server);
  try {
    return await delaysOf(stage);
  } finally {
    stage.end();
    await server.end();
  }
}
