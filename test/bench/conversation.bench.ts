import { measureAllAtOnce } from './conversation/measure-all-at-once.ts';
import { measureFirstSound } from './conversation/measure-first-sound.ts';
import { measureTrace } from './conversation/measure-trace.ts';
import type { Finding, Measure } from './conversation/measure.ts';
import { Rig } from './conversation/rig.ts';

/** Each begins with a Parley that has learned nothing. */
const measures: readonly Measure[] = [measureAllAtOnce, measureTrace, measureFirstSound];

/** The conversation's promises, at the monitor of a virtual card, from a server in another process. */
export async function bench(): Promise<void> {
  const findings: Finding[] = [];
  for (const measure of measures) {
    const rig = await Rig.open();
    try {
      findings.push(...(await measure(rig)));
    } finally {
      await rig.end();
    }
  }
  const lines = findings.map(
    ({ what, limit, found, met }) =>
      `${what}, at most: ${limit}\n    ${found}${met ? '' : '  NOT MET'}`,
  );
  process.stdout.write(`${lines.join('\n')}\n`);
}
