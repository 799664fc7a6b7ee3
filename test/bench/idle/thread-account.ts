import { readdirSync, readFileSync } from 'node:fs';
import { childrenOf, readCommand } from '../../e2e/fixtures/processes.ts';

interface ThreadUse {
  readonly name: string;
  readonly cpuMs: number;
  /** Voluntary context switches: each follows a wake-up. */
  readonly wakes: number;
}

/** A process, its role in the app, and its threads by id. */
export interface ProcessUse {
  readonly role: string;
  readonly threads: ReadonlyMap<number, ThreadUse>;
}

export interface IdleStats {
  /** Percent of one core, for all processes. */
  readonly cpuPercent: number;
  /** Threads that woke up, by number of wakes. */
  readonly threads: readonly {
    readonly where: string;
    readonly wakesPerSecond: number;
    readonly cpuPercent: number;
  }[];
}

/** Reads the usage of the app and all its descendants from /proc. */
export function readUse(main: number): ReadonlyMap<number, ProcessUse> {
  const pids = [main, ...childrenOf(main)];
  return new Map(pids.map((pid) => [pid, { role: roleOf(pid, main), threads: threadsOf(pid) }]));
}

export function diffUsage(
  before: ReadonlyMap<number, ProcessUse>,
  after: ReadonlyMap<number, ProcessUse>,
  seconds: number,
): IdleStats {
  const threads = [...after].flatMap(([pid, { role, threads: now }]) =>
    [...now].map(([tid, use]) => {
      const then = before.get(pid)?.threads.get(tid);
      return {
        where: `${role}: ${use.name}`,
        wakesPerSecond: (use.wakes - (then?.wakes ?? 0)) / seconds,
        cpuPercent: (use.cpuMs - (then?.cpuMs ?? 0)) / (seconds * 10),
      };
    }),
  );
  return {
    cpuPercent: threads.reduce((sum, { cpuPercent }) => sum + cpuPercent, 0),
    threads: threads
      .filter(({ wakesPerSecond }) => wakesPerSecond > 0)
      .toSorted((one, other) => other.wakesPerSecond - one.wakesPerSecond),
  };
}

function roleOf(pid: number, main: number): string {
  if (pid === main) return 'main';
  const command = readCommand(pid);
  const named = /--utility-sub-type=([\w.]+)/.exec(command) ?? /--type=([\w-]+)/.exec(command);
  return named?.[1] ?? 'child';
}

function threadsOf(pid: number): ReadonlyMap<number, ThreadUse> {
  const found = new Map<number, ThreadUse>();
  try {
    for (const tid of readdirSync(`/proc/${pid}/task`)) {
      const folder = `/proc/${pid}/task/${tid}`;
      const status = readFileSync(`${folder}/status`, 'utf8');
      const [onCpu = '0'] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ');
      found.set(Number(tid), {
        // Chromium names its threads; threads of Node and libraries have the program's name.
        name: Number(tid) === pid ? 'its first thread' : `${nameIn(status)} ${Number(tid) - pid}`,
        cpuMs: Number(onCpu) / 1e6,
        wakes: Number(/^voluntary_ctxt_switches:\t(\d+)$/m.exec(status)?.[1] ?? 0),
      });
    }
  } catch {
    // The thread or process has ended.
  }
  return found;
}

function nameIn(status: string): string {
  return /^Name:\t(.*)$/m.exec(status)?.[1] ?? 'unnamed';
}
