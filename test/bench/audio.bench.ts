import { SoundServer } from '../contract/sound/sound-server.ts';
import { killServer } from './sound/kill-server.ts';
import { measureDelays } from './sound/measure-delays.ts';
import { measureEndurance } from './sound/measure-endurance.ts';
import { measureStall } from './sound/measure-stall.ts';
import { Stage } from './sound/stage.ts';
import { printTable } from './sound/print-table.ts';
import type { BenchResults } from './sound/print-table.ts';

type Measure = (stage: Stage) => Promise<BenchResults>;

interface Place {
  readonly server: SoundServer;
  readonly stage: Stage;
  readonly figures: Record<string, string>;
}

/** Sound at the monitor of a virtual card, compared with plain naudiodon. `--minutes 10` for the full run. */
export async function bench(): Promise<void> {
  const at = process.argv.indexOf('--minutes');
  const minutes = at === -1 ? 1 : Number(process.argv[at + 1]);
  const servers = { ours: new SoundServer(), naudiodon: new SoundServer() };
  try {
    const ours = await openPlace('ours', servers.ours);
    for (const measure of [measureDelays, measureStall]) await take(ours, measure);
    const naudiodon = await openPlace('naudiodon', servers.naudiodon);
    for (const measure of [measureDelays, measureStall]) await take(naudiodon, measure);
    // The only slow measurement, and the only one that other load of a tenth of a core does not affect.
    await Promise.all([ours, naudiodon].map((place) => take(place, measureEndurance(minutes))));
    for (const place of [naudiodon, ours]) await take(place, killServer(place.server));
    printTable(minutes, ours.figures, naudiodon.figures);
  } finally {
    await Promise.all([servers.ours.end(), servers.naudiodon.end()]);
  }
}

/** Each path has a separate sound server, so that they do not disturb each other. */
async function openPlace(which: 'ours' | 'naudiodon', server: SoundServer): Promise<Place> {
  await server.start();
  return { server, stage: await Stage.open(which, server), figures: {} };
}

async function take({ stage, figures }: Place, measure: Measure): Promise<void> {
  Object.assign(figures, await measure(stage));
  process.stdout.write('.');
}
