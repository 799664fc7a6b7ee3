import {
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startVirtualScreen } from '../../scripts/lib/display.mjs';
import { inRoot } from '../../scripts/lib/root.mjs';
import { run } from '../../scripts/lib/run.mjs';
import { findXvfb } from '../../scripts/lib/test-tools.mjs';
import { shippedProgram } from '../e2e/fixtures/inspectable-package.ts';
import { settingsAfterFirstRun } from '../e2e/fixtures/running-host.ts';
import { ScreenMemory } from '../e2e/fixtures/screen-memory.ts';
import { median } from '../../shared/statistics.ts';
import { option } from './bench-helpers.ts';
import { priorityInWords, raisePriority, raiseSessionPriority } from './conversation/priority.ts';
import { type Launch, watchLaunch } from './launch/watch-launch.ts';

const maxRatio = 1.4;
const minPairs = 7;

/**
 * Time from launch of the packaged program until its first screen is drawn, compared in turns with a blank app in the same
 * package. It watches the screen, because a package cannot be inspected. Both are packed first; each has a separate
 * profile, which an uncounted first start fills. `--times 15`.
 */
export async function bench(): Promise<void> {
  const times = Math.max(minPairs, Number(option('--times') ?? 9));
  const xvfb = findXvfb();
  if ('reason' in xvfb) throw new Error(xvfb.reason);
  const packed = await run(process.execPath, [inRoot('scripts', 'dist.mjs'), 'dir']);
  if (packed.code !== 0) throw new Error(packed.output);
  const folder = mkdtempSync(join(tmpdir(), 'parley-launch-'));
  const inFolder = (name: string): string => {
    mkdirSync(join(folder, name), { recursive: true });
    return join(folder, name);
  };
  const memoryFolder = inFolder('screen');
  const virtual = await startVirtualScreen(xvfb.executable, { size: '1280x800', memoryFolder });
  const screen = new ScreenMemory(memoryFolder);
  try {
    const programs = {
      blank: packBlank(inFolder('blank'), shippedProgram),
      parley: shippedProgram,
    };
    const settings = join(inFolder('parley-home'), 'settings.json');
    writeFileSync(settings, JSON.stringify({ version: 1, ...settingsAfterFirstRun }));
    raiseSessionPriority();
    raisePriority(process.pid);
    const launches: Record<'blank' | 'parley', Launch[]> = { blank: [], parley: [] };
    for (let round = -1; round < times; round += 1) {
      for (const which of ['blank', 'parley'] as const) {
        const home = inFolder(`${which}-home`);
        const program = programs[which];
        const launch = await watchLaunch({ program, home, display: virtual.display }, screen);
        if (round >= 0) launches[which].push(launch);
      }
    }
    process.stdout.write(formatReport(launches, times));
  } finally {
    screen.close();
    virtual.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function formatReport(
  { blank, parley }: Record<'blank' | 'parley', Launch[]>,
  times: number,
): string {
  const usable = (list: readonly Launch[]) => list.map(({ usableAt }) => usableAt);
  const line = (name: string, list: readonly Launch[]): string => {
    const sorted = usable(list).toSorted((a, b) => a - b);
    const [min, max] = [sorted[0] ?? 0, sorted.at(-1) ?? 0].map(Math.round);
    const shown = Math.round(median(list.map(({ shownAt }) => shownAt)));
    return (
      `  ${name.padEnd(13)}median ${Math.round(median(sorted))} ms (${min} to ${max}); ` +
      `window shown after ${shown} ms; ${list[0]?.ink ?? 0} pixels drawn at the end\n`
    );
  };
  const ratio = median(usable(parley)) / median(usable(blank));
  const pairs = parley.map(({ usableAt }, at) => usableAt / (blank[at]?.usableAt ?? Number.NaN));
  return (
    `Launch of the package to a drawn window, ${times} times each, alternating, load ${loadavg()[0]?.toFixed(1)}; ` +
    `${priorityInWords}\n${line('Parley', parley)}${line('blank app', blank)}` +
    `  limit ${maxRatio} times the blank app: ${ratio <= maxRatio ? 'met' : 'NOT MET'} (${ratio.toFixed(2)}; ` +
    `median of the pairs ${median(pairs).toFixed(2)})\n`
  );
}

/**
 * Makes a package like Parley's with another app: the same program and fuses, and an archive whose code opens one empty
 * window.
 */
function packBlank(folder: string, shippedProgram: string): string {
  const shipped = dirname(shippedProgram);
  mkdirSync(join(folder, 'resources'), { recursive: true });
  for (const entry of readdirSync(shipped)) {
    if (entry === 'parley' || entry === 'resources') continue;
    symlinkSync(join(shipped, entry), join(folder, entry));
  }
  const program = join(folder, 'blank');
  copyFileSync(shippedProgram, program, constants.COPYFILE_FICLONE);
  const main = readFileSync(join(import.meta.dirname, 'launch', 'blank-app.cjs'));
  const about = Buffer.from(JSON.stringify({ name: 'blank', main: 'main.cjs' }));
  writeFileSync(
    join(folder, 'resources/app.asar'),
    packAsar({ 'package.json': about, 'main.cjs': main }),
  );
  return program;
}

/** Packs an asar archive: four lengths, a JSON index, and the files' contents. */
function packAsar(files: Readonly<Record<string, Buffer>>): Buffer {
  let offset = 0;
  const listed = Object.entries(files).map(([name, { length }]) => {
    const entry = [name, { size: length, offset: String(offset) }] as const;
    offset += length;
    return entry;
  });
  const json = Buffer.from(JSON.stringify({ files: Object.fromEntries(listed) }));
  const padded = Buffer.concat([json, Buffer.alloc(-json.length & 3)]);
  const lengths = Buffer.alloc(16);
  [4, padded.length + 8, padded.length + 4, json.length].forEach((length, at) =>
    lengths.writeUInt32LE(length, at * 4),
  );
  return Buffer.concat([lengths, padded, ...Object.values(files)]);
}
