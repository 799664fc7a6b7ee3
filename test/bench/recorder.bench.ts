import { loadavg } from 'node:os';
import { raisePriority, raiseSessionPriority, priorityInWords } from './conversation/priority.ts';
import { measureRecording } from './recorder/measure-recording.ts';
import { measureTapeBytes } from './recorder/measure-recording.ts';
import { option } from './bench-helpers.ts';

/** The cost of recording: load on the talk, and disk space. `--only bytes`, `--only talk`. */
export async function bench(): Promise<void> {
  const only = option('--only');
  const print = (lines: readonly string[]): void => {
    process.stdout.write(`${lines.join('\n')}\n`);
  };
  if (only !== 'talk') print(await measureTapeBytes());
  if (only === 'bytes') return;
  raiseSessionPriority();
  raisePriority(process.pid);
  print([`${priorityInWords}; load average ${loadavg()[0]?.toFixed(1) ?? ''}.`]);
  print(await measureRecording());
}
