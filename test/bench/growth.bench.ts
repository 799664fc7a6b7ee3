import { loadavg } from 'node:os';
import { measureKept } from './growth/measure-kept.ts';
import { measureServer } from './growth/measure-server.ts';
import { measureStarts } from './growth/measure-starts.ts';
import { measureTalking } from './growth/measure-talking.ts';
import { inLine, keepsTo } from './growth/growth-row.ts';

/**
 * What the same costs when there is more of everything: a longer talk, more sessions, more captions, a larger
 * history, more windows, a busier server, a worse line. By time of the processor, so that others count for less; one that grows worse than it is to is an error.
 * `--only starts`: how quickly a talk starts.
 */
export async function bench(): Promise<void> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  say('| what | of | cost | grows | why |\n| --- | --- | --- | --- | --- |');
  let wrong = 0;
  const only = process.argv[process.argv.indexOf('--only') + 1];
  const all = [measureKept, measureStarts, measureTalking, measureServer];
  for (const measure of only === 'starts' ? [measureStarts] : all)
    for (const row of await measure()) {
      say(inLine(row));
      if (!keepsTo(row)) wrong += 1;
    }
  say(`Load ${(loadavg()[0] ?? Number.NaN).toFixed(1)}; ${wrong} worse than they are to be.`);
  if (wrong > 0) process.exitCode = 1;
}
