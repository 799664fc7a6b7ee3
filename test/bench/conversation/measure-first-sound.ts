import { sayTurn, share } from './measure.ts';
import type { Measure } from './measure.ts';

const learningTurns = 4;
const rounds = 15;

/** A server with an even pace, a second every second: from its socket to the monitor. */
export const measureFirstSound: Measure = async (rig) => {
  const steps = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ atMs: n * 1000, soundMs: 1000 }));
  for (let turn = 0; turn < learningTurns; turn += 1) await sayTurn(rig, steps(5));
  const delays: number[] = [];
  const gaps: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { sentAt } = await sayTurn(rig, steps(2));
    if (rig.monitor.began !== undefined) delays.push(rig.monitor.began - sentAt);
    gaps.push(...rig.monitor.gapsMs);
  }
  const median = share(delays, 0.5);
  const { startDelayMs = Number.NaN } = await rig.figures();
  return [
    {
      what: 'delta on the wire → sound at the monitor, even pace: median',
      limit: '130 ms',
      found:
        `${median.toFixed(0)} ms (95 of 100 under ${share(delays, 0.95).toFixed(0)} ms, of ${delays.length}; ` +
        `held back at last ${startDelayMs.toFixed(0)} ms; ${gaps.length} gaps)`,
      met: median <= 130,
    },
  ];
};
