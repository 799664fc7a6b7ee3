import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';

interface Ran {
  /** -1 where it could not be run, or did not end in time. */
  readonly code: number;
  readonly out: string;
  readonly complaint: string;
}

interface QuietRun {
  readonly done: Promise<Ran>;
  readonly stop: () => void;
}

interface Way {
  readonly env?: NodeJS.ProcessEnv;
  readonly patienceMs?: number;
}

/** Unpacking takes a slow disk minutes. */
const defaultPatienceMs = 20 * 60_000;
const maxLetters = 10_000;
/** After everybody else. */
const lowest = 19;

/** Runs a program that nobody waits for: it gets what processors and disk have left. */
export function runQuietly(command: string, args: readonly string[], way: Way = {}): QuietRun {
  const { env = { ...process.env, LC_ALL: 'C' }, patienceMs = defaultPatienceMs } = way;
  let child: ChildProcess | undefined;
  const done = new Promise<Ran>((resolve) => {
    const said = { out: '', complaint: '' };
    const end = (code: number, complaint = said.complaint): void => {
      clearTimeout(late);
      resolve({ code, out: said.out, complaint });
    };
    const running = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child = running;
    const late = setTimeout(() => running.kill('SIGKILL'), patienceMs);
    running.on('error', (error) => {
      end(-1, error.message);
    });
    running.stdout.on('data', (piece: Buffer) => {
      said.out = `${said.out}${piece.toString()}`.slice(0, maxLetters);
    });
    running.stderr.on('data', (piece: Buffer) => {
      said.complaint = `${said.complaint}${piece.toString()}`.slice(0, maxLetters);
    });
    running.on('close', (code) => {
      end(code ?? -1);
    });
    yieldTo(running.pid);
  });
  return {
    done,
    stop: () => {
      child?.kill('SIGKILL');
    },
  };
}

function yieldTo(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, lowest);
  } catch {
    // It has ended already, or the system does not let it.
  }
}
