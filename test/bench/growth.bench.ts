import { loadavg } from 'node:os';
import { measureStored } from './growth/measure-stored.ts';
import { measureServerEvents } from './growth/measure-server-events.ts';
import { measureStarts } from './growth/measure-starts.ts';
import { measureTalking } from './growth/measure-talking.ts';
import { formatRow, isWithinExpectation } from './growth/growth-row.ts';
import { option, printLine } from './bench-helpers.ts';

/**
 * How costs grow with longer talks, more sessions, captions, history and windows, a busier server, and a worse connection.
 * It measures processor time, so that other programs matter less, and fails if a cost grows faster than expected.
 * `--only starts` measures how fast a talk starts.
 */
export async function bench(): Promise<void> {
  printLine('| what | of | cost | grows | why |\n| --- | --- | --- | --- | --- |');
  let wrong = 0;
  const only = option('--only');
  const all = [measureStored, measureStarts, measureTalking, measureServerEvents];
  for (const measure of only === 'starts' ? [measureStarts] : all)
    for (const row of await measure()) {
      printLine(formatRow(row));
      if (!isWithinExpectation(row)) wrong += 1;
    }
  printLine(`Load ${(loadavg()[0] ?? Number.NaN).toFixed(1)}; ${wrong} grow faster than expected.`);
  if (wrong > 0) process.exitCode = 1;
}
