import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { watchConsole } from './console-guard.ts';
import type { ConsoleGuard } from './console-guard.ts';
import { openResources, untilReleased } from './resource-guard.ts';
import { watchLeaks } from './lifetime-guard.ts';
import type { LeakGuard } from './lifetime-guard.ts';

let consoleGuard: ConsoleGuard;
let leakGuard: LeakGuard;
let openBefore: readonly string[];

beforeAll(() => {
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
  expect(await untilReleased(openBefore), 'servers, sockets and timers left open').toEqual([]);
});
