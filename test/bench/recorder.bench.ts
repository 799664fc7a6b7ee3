import { loadavg } from 'node:os';
import { hurry, hurrySession, urgencyInWords } from './conversation/urgent.ts';
import { measureRecording } from './recorder/measure-recording.ts';
import { measureTapeBytes } from './recorder/measure-tape-bytes.ts';

/** The cost of recording: load on the talk, and disk space. `--only bytes`, `--only talk`. */
export async function bench(): Promise<void> {
  const only = process.argv[process.argv.indexOf('--only') + 1];
  const print = (lines: readonly string[]): void => {
    process.stdout.write(`${lines.join('\n')}\n`);
  };
  if (only !== 'talk') print(await measureTapeBytes());
  if (only === 'bytes') return;
  hurrySession();
  hurry(process.pid);
  print([`${urgencyInWords}; load average ${loadavg()[0]?.toFixed(1) ?? ''}.`]);
  print(await measureRecording());
}
