import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { watchConsole } from './console-guard.ts';
import type { ConsoleGuard } from './console-guard.ts';
import { openResources, untilReleased } from './resource-guard.ts';
import { watchLeaks } from './lifetime-guard.ts';
import type { LeakGuard } from './lifetime-guard.ts';

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

afterEach(() => {
  const strays = consoleGuard.end();
  const leaks = leakGuard.end();
  expect(strays, 'stray console output').toEqual([]);
  expect(leaks, 'lifetimes that began and were never ended').toEqual([]);
});

afterAll(async () => {
  rmSync(state, { recursive: true, force: true });
  expect(await untilReleased(openBefore), 'servers, sockets and timers left open').toEqual([]);
});
