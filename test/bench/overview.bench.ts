import { writeFileSync } from 'node:fs';
import { Stop } from '../../scripts/lib/stop.mjs';
import { raisePriority, raiseSessionPriority, priorityInWords, option } from './bench-helpers.ts';
import { measureConversation, measureSound } from './overview/sound-rows.ts';
import { measureDesktop, measureStartup } from './overview/window-rows.ts';
import { measurePictures, measureProtocol, measureRecorder } from './overview/processor-rows.ts';
import { judgeBy, overviewPage, readBudget, type Row } from './overview/row.ts';

const sections: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  protocol: measureProtocol,
  pictures: measurePictures,
  recorder: measureRecorder,
  startup: measureStartup,
  desktop: measureDesktop,
  sound: measureSound,
  conversation: measureConversation,
};

/**
 * An overview of all measurements, each compared with a baseline of the same run. `--only protocol,sound` selects some,
 * `--json FILE` writes JSON, `--check` fails on a broken budget.
 */
export async function bench(): Promise<void> {
  const only = option('--only')?.split(',');
  const unknown = only?.filter((name) => sections[name] === undefined) ?? [];
  if (unknown.length > 0)
    throw new Stop(
      `Unknown part ${unknown.join(', ')}; known: ${Object.keys(sections).join(', ')}.`,
      2,
    );
  raiseSessionPriority();
  raisePriority(process.pid);
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(sections)) {
    if (only?.includes(name) === false) continue;
    process.stderr.write(`${name}…\n`);
    rows.push(...(await measure()));
  }
  const judge = judgeBy(readBudget());
  const judged = rows.map((row) => ({ row, verdict: judge(row) }));
  process.stdout.write(`${priorityInWords}\n${overviewPage(judged)}`);
  const file = option('--json');
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(judged, undefined, 2)}\n`);
  const broken = judged.filter(({ verdict }) => verdict.judgement === 'broken');
  if (process.argv.includes('--check') && broken.length > 0)
    throw new Stop(`Over budget: ${broken.map(({ row }) => row.id).join(', ')}.`, 1);
}
