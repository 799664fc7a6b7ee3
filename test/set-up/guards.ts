import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { observeLifetimes, type Lifetime } from '../../shared/lifetime.ts';
import { setTimeout as wait } from 'node:timers/promises';

/** Resources that keep a process alive, except files and the test runner's pipes. */
const watched = new Set(['TCPServerWrap', 'TCPSocketWrap', 'Timeout', 'ProcessWrap', 'UDPWrap']);

function openResources(): readonly string[] {
  return process.getActiveResourcesInfo().filter((resource) => watched.has(resource));
}

/** Waits briefly for pending closes, then returns resources that are open beyond `before`. */
async function untilReleased(before: readonly string[], attempts = 20): Promise<readonly string[]> {
  const extra = beyond(openResources(), before);
  if (extra.length === 0 || attempts === 0) return extra;
  await wait(50);
  return untilReleased(before, attempts - 1);
}

function beyond(now: readonly string[], before: readonly string[]): readonly string[] {
  const left = [...before];
  return now.filter((resource) => {
    const at = left.indexOf(resource);
    if (at === -1) return true;
    left.splice(at, 1);
    return false;
  });
}

interface LeakGuard {
  /** Stops watching and returns the names of lifetimes that were not ended. */
  readonly end: () => readonly string[];
}

function watchLeaks(): LeakGuard {
  const open = new Set<Lifetime>();
  observeLifetimes({
    onBegin: (lifetime) => {
      open.add(lifetime);
    },
    onEnd: (lifetime) => {
      open.delete(lifetime);
    },
  });
  return {
    end: () => {
      observeLifetimes(undefined);
      return [...open].map(({ name }) => name);
    },
  };
}

const methods = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;

interface ConsoleGuard {
  /** Restores the console and returns what was written to it. */
  readonly end: () => readonly string[];
}

/** Captures console output of the code under test, which must not write any. */
function watchConsole(): ConsoleGuard {
  const strays: string[] = [];
  const originals = methods.map((method) => [method, console[method]] as const);
  for (const method of methods) {
    console[method] = (...words: unknown[]) => {
      strays.push(`console.${method}: ${words.map(String).join(' ')}`);
    };
  }
  return {
    end: () => {
      for (const [method, original] of originals) console[method] = original;
      return strays;
    },
  };
}

let consoleGuard: ConsoleGuard;
let leakGuard: LeakGuard;
let openBefore: readonly string[];
/** A temporary state folder, so that tests neither read nor change the developer's own state. */
let state: string;

beforeAll(() => {
  state = mkdtempSync(join(tmpdir(), 'parley-state-'));
  process.env['PARLEY_STATE_DIR'] = state;
  openBefore = openResources();
});

beforeEach(() => {
  consoleGuard = watchConsole();
  leakGuard = watchLeaks();
});

// Runs after the test's own clean-up, which may still need what it replaced.
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  const strays = consoleGuard.end();
  const leaks = leakGuard.end();
  expect(strays, 'stray console output').toEqual([]);
  expect(leaks, 'lifetimes that began and were never ended').toEqual([]);
});

afterAll(async () => {
  rmSync(state, { recursive: true, force: true });
  expect(await untilReleased(openBefore), 'servers, sockets and timers left open').toEqual([]);
});
