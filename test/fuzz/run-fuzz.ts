import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundleWorker } from './bundle-worker.ts';
import { findFuzzTarget, fuzzTargets, plantedTarget } from './fuzz-targets.ts';
import { writeCorpus, readCorpus } from './corpus-files.ts';
import { runInThread } from './run-in-thread.ts';

interface FuzzOptions {
  readonly seed: number;
  readonly minutes: number;
  /** Part of a target's name; empty for all. */
  readonly only: string;
  /** Writes inputs that reached new code into the repository's corpus. */
  readonly keep: boolean;
  /** Folder for the inputs that caused faults. */
  readonly findings: string;
  readonly say: (line: string) => void;
}

export interface FuzzSum {
  readonly targets: number;
  readonly executions: number;
  readonly found: number;
}

/** Fuzzes each target for an equal share of the time, guided by coverage. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzSum> {
  const { seed, minutes, only, keep, findings, say } = options;
  const planted = only === plantedTarget.name ? [plantedTarget] : undefined;
  const wanted = planted ?? fuzzTargets.filter(({ name }) => name.includes(only));
  // Inside the project, so that imports of external packages resolve.
  const folder = mkdtempSync(
    join(import.meta.dirname, '..', '..', 'node_modules', '.parley-fuzz-'),
  );
  let [executions, found] = [0, 0];
  try {
    const file = await bundleWorker(folder);
    for (const { name } of wanted) {
      const ms = (minutes * 60_000) / wanted.length;
      const maxFound = planted === undefined ? 10 : 1;
      const report = await runInThread(file, { name, seed, ms, maxFound, kept: readCorpus(name) });
      say(
        `${name}: ${report.executions} executions, ${report.stretches} stretches of code, ${report.corpus.length} kept`,
      );
      for (const { input, fault } of report.found) {
        say(`FOUND ${leave(findings, name, input)}: ${fault.slice(0, 1000)}`);
      }
      if (keep) writeCorpus(name, report.corpus);
      executions += report.executions;
      found += report.found.length;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { targets: wanted.length, executions, found };
}

/** Saves the input as a file for `--replay`. */
function leave(folder: string, target: string, input: Uint8Array): string {
  mkdirSync(folder, { recursive: true });
  const number = createHash('sha256').update(input).digest('hex').slice(0, 12);
  const path = join(folder, `${encodeURIComponent(target)}.${number}`);
  writeFileSync(path, input);
  return path;
}

/** Runs a saved input once; it throws if the fault occurs again. */
export async function replayFinding(path: string): Promise<unknown> {
  const name = decodeURIComponent(basename(path).replace(/\.[\da-f]+$/u, ''));
  const target = findFuzzTarget(name);
  if (target === undefined) throw new Error(`There is nothing to fuzz that is called ${name}.`);
  return target.run(new Uint8Array(readFileSync(path)));
}
