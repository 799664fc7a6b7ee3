import { renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

interface System {
  readonly platform: string;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

const thisSystem: System = {
  platform: process.platform,
  // Looked up at each call: a test makes the file system hang in a running Parley.
  rename: (from, to) => rename(from, to),
  wait,
};

/** Each pause is twice the one before: 1,023 ms in all. */
const firstPauseMs = 33;
const maxTries = 6;

/**
 * A virus scanner on Windows may hold a new file open for a moment, and Windows then refuses to rename
 * it. This function retries for a second. Other systems refuse for lasting reasons: it throws at once.
 */
export async function renameFile(from: string, to: string, system = thisSystem): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await system.rename(from, to);
      return;
    } catch (error) {
      await system.wait(pauseAfter(error, tries, system.platform));
    }
  }
}

interface SystemAtStart {
  readonly platform: string;
  readonly rename: (from: string, to: string) => void;
  readonly wait: (milliseconds: number) => void;
}

const thisSystemAtStart: SystemAtStart = {
  platform: process.platform,
  rename: (from, to) => {
    renameSync(from, to);
  },
  wait: (milliseconds) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  },
};

/** The same where nothing else can go on meanwhile: a start that reads its settings, and the index's own thread. */
export function renameFileAtStart(from: string, to: string, system = thisSystemAtStart): void {
  for (let tries = 1; ; tries += 1) {
    try {
      system.rename(from, to);
      return;
    } catch (error) {
      system.wait(pauseAfter(error, tries, system.platform));
    }
  }
}

/** Throws the error where another try would not help. */
function pauseAfter(error: unknown, tries: number, platform: string): number {
  if (platform !== 'win32' || tries === maxTries || !isHeldOpen(error)) throw error;
  return firstPauseMs * 2 ** (tries - 1);
}

function isHeldOpen(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EPERM' || code === 'EACCES' || code === 'EBUSY';
}
