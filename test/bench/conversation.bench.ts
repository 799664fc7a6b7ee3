import { loadavg } from 'node:os';
import {
  measureAnswers,
  measureEndurance,
  measureInterrupting,
  measureTrace,
  type Measure,
} from './conversation/measures.ts';
import { raisePriority, raiseSessionPriority, priorityInWords, option } from './bench-helpers.ts';

/** The measurements by name. Each starts a Parley without learned state. `--only NAME` runs one. */
const measures = (minutes: number): Readonly<Record<string, Measure>> => ({
  answers: measureAnswers,
  interrupting: measureInterrupting,
  trace: measureTrace,
  endurance: measureEndurance(minutes),
});

/**
 * Checks the conversation against its limits on a virtual card, with the embedded gateway in another process. `--minutes
 * 10` for the full run.
 */
export async function bench(): Promise<void> {
  const minutes = Number(option('--minutes') ?? 1);
  const only = option('--only');
  raiseSessionPriority();
  raisePriority(process.pid);
  process.stdout.write(`${priorityInWords}.\n`);
  for (const [name, measure] of Object.entries(measures(minutes))) {
    if (only !== undefined && only !== name) continue;
    const findings = await measure();
    const load = loadavg()[0]?.toFixed(1) ?? '';
    const lines = findings.map(
      ({ what, limit, found, met }) =>
        `${what}, limit: ${limit}\n    ${met ? 'met' : 'NOT MET'}: ${found}\n`,
    );
    process.stdout.write(`\n${name} (load average ${load})\n${lines.join('')}`);
  }
}
