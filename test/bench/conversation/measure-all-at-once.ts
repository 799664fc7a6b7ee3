import { sayTurn } from './measure.ts';
import type { Measure } from './measure.ts';

/** All of a turn in one delta: the gaps that are left are the rig's own, and the baseline for all others. */
export const measureAllAtOnce: Measure = async (rig) => {
  await sayTurn(rig, [{ atMs: 0, soundMs: 30_000 }]);
  const { startDelayMs = Number.NaN } = await rig.figures();
  const longest = Math.max(0, ...rig.monitor.gapsMs);
  return [
    {
      what: '30 s at once (what gaps there are, are the machine’s own): held back',
      limit: '0 ms',
      found: `${startDelayMs.toFixed(0)} ms; ${rig.monitor.gapsMs.length} gaps, the longest ${longest.toFixed(1)} ms`,
      met: startDelayMs < 1,
    },
  ];
};
