import { SoundServer } from '../contract/sound/sound-server.ts';
import { killServer } from './sound/kill-server.ts';
import { measureDelays } from './sound/measure-delays.ts';
import { measureEndurance } from './sound/measure-endurance.ts';
import { measureStall } from './sound/measure-stall.ts';
import { Stage } from './sound/stage.ts';
import { printTable } from './sound/print-table.ts';
import type { Figures } from './sound/print-table.ts';

const whichOnes = ['ours', 'naudiodon'] as const;

/** Sound as it arrives at the monitor of a virtual card, beside plain naudiodon. `--minutes 10` for all. */
export async function bench(): Promise<void> {
  const at = process.argv.indexOf('--minutes');
  const minutes = at === -1 ? 1 : Number(process.argv[at + 1]);
  const server = new SoundServer();
  await server.start();
  const results: Record<string, Figures> = {};
  try {
    for (const which of whichOnes) {
      const stage = await Stage.open(which, server);
      const figures: Record<string, string> = {};
      results[which] = figures;
      for (const measure of [
        measureDelays,
        measureStall,
        measureEndurance(minutes),
        killServer(server),
      ]) {
        Object.assign(figures, await measure(stage));
        process.stdout.write('.');
      }
    }
  } finally {
    await server.end();
  }
  printTable(minutes, results['ours'] ?? {}, results['naudiodon'] ?? {});
}
