import { Stop } from '../../../scripts/lib/stop.mjs';
import { SoundServer } from '../../contract/sound/sound-server.ts';
import { delaysOf } from '../sound/measure-delays.ts';
import type { Delays } from '../sound/measure-delays.ts';
import { queuedMs } from '../sound/sound-paths.ts';
import { MeasuredProcess } from '../sound/measured-process.ts';
import { median } from '../../../shared/statistics.ts';
import type { Row } from './row.ts';

/** Measures the driver on a virtual card, compared with plain naudiodon with four queued blocks of 20 ms. */
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

/** Stops the bench if the median delay is shorter than the queue, which cannot be real. */
async function plainDelays(): Promise<Delays> {
  const delays = await delaysAt('naudiodon');
  const found = median(delays.sounds);
  if (found < queuedMs)
    throw new Stop(
      `Plain naudiodon has ${queuedMs} ms queued but was heard after ${found.toFixed(1)} ms, so it is not a baseline.`,
      1,
    );
  return delays;
}

/** Measures each path on a separate sound server. */
async function delaysAt(which: 'ours' | 'naudiodon'): Promise<Delays> {
  const server = new SoundServer();
  await server.start();
  const subject = await MeasuredProcess.open(which, server);
  try {
    return await delaysOf(subject);
  } finally {
    subject.end();
    await server.end();
  }
}
