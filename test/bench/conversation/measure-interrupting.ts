import { setTimeout as wait } from 'node:timers/promises';
import { seeded } from '../../fakes/seeded.ts';
import { formatTimes, describeOwnStats } from './measure.ts';
import type { Measure } from './measure.ts';
import { Rig } from './rig.ts';
import { quantile } from '../../../shared/statistics.ts';

const rounds = 21;
/** Wait after an interrupt, by which silence must have come. */
const settleMs = 600;

/** Interrupts answers at random moments; the answer is a tone, so that every silence is a real one. */
export const measureInterrupting: Measure = async () => {
  const random = seeded(11);
  const rig = await Rig.open({ options: {}, dialect: 'unified', toneSeconds: 20 });
  try {
    const delays: number[] = [];
    let soundsAgain = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { at: saidAt } = await rig.ask();
      await wait(1500 + random() * 1000);
      const at = await rig.interrupt();
      const listens = rig.listenStep();
      await wait(settleMs);
      const { monitor } = rig;
      const from = monitor.sampleAt(saidAt);
      const last = monitor.lastLoud(from, monitor.sampleAt(at + settleMs / 2));
      if (last !== undefined) delays.push(monitor.timeOf(last) - at);
      await listens;
      await wait(settleMs);
      if (monitor.lastLoud(monitor.sampleAt(at + settleMs / 2)) !== undefined) soundsAgain += 1;
    }
    return [
      {
        what: 'interrupt called → silence at the monitor: p95',
        limit: '60 ms',
        found:
          `${formatTimes(delays)} (${describeOwnStats(await rig.stats(), 'interruptToSilence')}); ` +
          `sound of the interrupted answer afterwards: ${soundsAgain} times`,
        met: quantile(delays, 0.95) <= 60 && delays.length >= 20 && soundsAgain === 0,
      },
    ];
  } finally {
    await rig.end();
  }
};
