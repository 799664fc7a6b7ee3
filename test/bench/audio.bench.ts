import { SoundServer } from '../contract/sound/sound-server.ts';
import { killServer } from './sound/kill-server.ts';
import { measureDelays } from './sound/measure-delays.ts';
import { measureEndurance } from './sound/measure-endurance.ts';
import { measureStall } from './sound/measure-delays.ts';
import { MeasuredProcess } from './sound/measured-process.ts';
import { printTable } from './sound/print-table.ts';
import type { BenchResults } from './sound/print-table.ts';
import { option } from './bench-helpers.ts';

type Measure = (subject: MeasuredProcess) => Promise<BenchResults>;

interface Place {
  readonly server: SoundServer;
  readonly subject: MeasuredProcess;
  readonly results: Record<string, string>;
}

/** Sound at the monitor of a virtual card, compared with plain naudiodon. `--minutes 10` for the full run. */
export async function bench(): Promise<void> {
  const minutes = Number(option('--minutes') ?? 1);
  const servers = { ours: new SoundServer(), naudiodon: new SoundServer() };
  try {
    const ours = await openPlace('ours', servers.ours);
    for (const measure of [measureDelays, measureStall]) await run(ours, measure);
    const naudiodon = await openPlace('naudiodon', servers.naudiodon);
    for (const measure of [measureDelays, measureStall]) await run(naudiodon, measure);
    // The only slow measurement, and the only one that other load of a tenth of a core does not affect.
    await Promise.all([ours, naudiodon].map((place) => run(place, measureEndurance(minutes))));
    for (const place of [naudiodon, ours]) await run(place, killServer(place.server));
    printTable(minutes, ours.results, naudiodon.results);
  } finally {
    await Promise.all([servers.ours.end(), servers.naudiodon.end()]);
  }
}

/** Each path has a separate sound server, so that they do not disturb each other. */
async function openPlace(which: 'ours' | 'naudiodon', server: SoundServer): Promise<Place> {
  await server.start();
  return { server, subject: await MeasuredProcess.open(which, server), results: {} };
}

async function run({ subject, results }: Place, measure: Measure): Promise<void> {
  Object.assign(results, await measure(subject));
  process.stdout.write('.');
}
