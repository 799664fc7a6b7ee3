import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundleWorker } from './bundle-worker.ts';
import { fuzzTargetOf, fuzzTargets, plantedTarget } from './fuzz-targets.ts';
import { keepCorpus, keptCorpus } from './kept-corpus.ts';
import { runInThread } from './run-in-thread.ts';

interface FuzzOptions {
  readonly seed: number;
  readonly minutes: number;
  /** Part of the names of those that are wanted; all where it is empty. */
  readonly only: string;
  /** Writes what brought something new into the repository's own corpus. */
  readonly keep: boolean;
  /** Where what was found is left. */
  readonly findings: string;
  readonly say: (line: string) => void;
}

export interface FuzzSum {
  readonly targets: number;
  readonly executions: number;
  readonly found: number;
}

/** Fuzzes each target for its part of the time, led by what its code has not run yet. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzSum> {
  const { seed, minutes, only, keep, findings, say } = options;
  const planted = only === plantedTarget.name ? [plantedTarget] : undefined;
  const wanted = planted ?? fuzzTargets.filter(({ name }) => name.includes(only));
  // Below the project: what is in no bundle is found from there.
  const folder = mkdtempSync(
    join(import.meta.dirname, '..', '..', 'node_modules', '.parley-fuzz-'),
  );
  let [executions, found] = [0, 0];
  try {
    const file = await bundleWorker(folder);
    for (const { name } of wanted) {
      const ms = (minutes * 60_000) / wanted.length;
      const mostFound = planted === undefined ? 10 : 1;
      const report = await runInThread(file, { name, seed, ms, mostFound, kept: keptCorpus(name) });
      say(
        `${name}: ${report.executions} executions, ${report.stretches} stretches of code, ${report.corpus.length} kept`,
      );
      for (const { input, fault } of report.found) {
        say(`FOUND ${leave(findings, name, input)}: ${fault.slice(0, 1000)}`);
      }
      if (keep) keepCorpus(name, report.corpus);
      executions += report.executions;
      found += report.found.length;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { targets: wanted.length, executions, found };
}

/** A file that `--replay` takes. */
function leave(folder: string, target: string, input: Uint8Array): string {
  mkdirSync(folder, { recursive: true });
  const number = createHash('sha256').update(input).digest('hex').slice(0, 12);
  const path = join(folder, `${encodeURIComponent(target)}.${number}`);
  writeFileSync(path, input);
  return path;
}

/** Runs one of those files once; what it throws is the fault. */
export async function replayFinding(path: string): Promise<unknown> {
  const name = decodeURIComponent(basename(path).replace(/\.[\da-f]+$/u, ''));
  const target = fuzzTargetOf(name);
  if (target === undefined) throw new Error(`There is nothing to fuzz that is called ${name}.`);
  return target.run(new Uint8Array(readFileSync(path)));
}
