import { readFileSync } from 'node:fs';
import { childrenOf, readCommand } from '../../e2e/fixtures/processes.ts';

interface ProcessUse {
  readonly part: string;
  /** Processor time since its start, including ended threads. */
  readonly cpuMs: number;
}

const tickMs = 10;

/** Reads the app and all its descendants from /proc, by process id. */
export function readProcesses(main: number): ReadonlyMap<number, ProcessUse> {
  const found = new Map<number, ProcessUse>();
  for (const pid of [main, ...childrenOf(main)]) {
    const stat = readIfThere(`/proc/${pid}/stat`)
      ?.replace(/^.*\) /, '')
      .split(' ');
    if (stat === undefined) continue;
    const cpuMs = (Number(stat[11]) + Number(stat[12])) * tickMs;
    found.set(pid, { part: pid === main ? 'main' : partOf(pid), cpuMs });
  }
  return found;
}

/** Processor milliseconds of each part between two readings. */
export function usedBetween(
  before: ReadonlyMap<number, ProcessUse>,
  after: ReadonlyMap<number, ProcessUse>,
): ReadonlyMap<string, number> {
  const used = new Map<string, number>();
  for (const [pid, { part, cpuMs }] of after) {
    const more = cpuMs - (before.get(pid)?.cpuMs ?? 0);
    used.set(part, (used.get(part) ?? 0) + more);
  }
  return used;
}

/**
 * Megabytes of each part: its proportional set size, or only its private dirty memory, which does not depend on other
 * processes.
 */
export function readMemory(
  main: number,
  field: 'Pss' | 'Private_Dirty' = 'Pss',
): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const [pid, { part }] of readProcesses(main)) {
    if (part === tracing) continue;
    const rollup = readIfThere(`/proc/${pid}/smaps_rollup`);
    const size = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup ?? '')?.[1];
    if (size !== undefined) sizes.set(part, (sizes.get(part) ?? 0) + Number(size) / 1024);
  }
  return sizes;
}

/** The tracing process, which is not a part of the app. */
const tracing = 'tracing';

const parts: readonly (readonly [RegExp, string])[] = [
  [/--type=renderer/, 'page'],
  [/--type=gpu-process/, 'compositor'],
  [/--type=zygote/, 'zygotes'],
  [/TracingService/, tracing],
  [/mojom\.NetworkService/, 'network'],
  [/VideoCaptureService/, 'camera'],
  [/AudioService/, 'engine sound'],
  [/NodeService/, 'pictures'],
];

function partOf(pid: number): string {
  const command = readCommand(pid);
  return parts.find(([pattern]) => pattern.test(command))?.[1] ?? 'other';
}

/** Undefined if the process has ended. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
