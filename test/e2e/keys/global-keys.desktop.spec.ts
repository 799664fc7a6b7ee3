import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { Lifetime } from '../../../shared/lifetime.ts';
import { buildKeyListener } from './build-key-listener.ts';
import { missingDeskTool, openKeyDesk } from './open-key-desk.ts';
import type { KeyDesk } from './open-key-desk.ts';
import { startKeyListener } from './start-key-listener.ts';
import type { RunningListener } from './start-key-listener.ts';

// Every test in which another program has the keyboard.
const folder = resolve('test-results', `key-listener-${process.env['TEST_PARALLEL_INDEX'] ?? '0'}`);
let file: string;
let lifetime: Lifetime;
let desk: KeyDesk;

test.beforeAll(async () => {
  const missing = missingDeskTool();
  test.skip(missing !== undefined, `${missing ?? ''} is not installed`);
  file = await buildKeyListener(folder);
});

test.afterAll(() => rm(folder, { recursive: true, force: true }));

test.beforeEach(async () => {
  lifetime = new Lifetime('a desk with a keyboard');
  desk = await openKeyDesk(lifetime);
});

test.afterEach(() => lifetime.end());

async function listen(backend: string, chord: string): Promise<RunningListener> {
  const listener = startKeyListener(lifetime, file, desk.environment, backend, chord);
  await listener.until('listens');
  return listener;
}

test('a key is heard, and only it, while another program has the keyboard', async () => {
  const listener = await listen('uiohook', 'F8');
  await desk.type('key', 'a', 'Return', 'F9', 'ctrl+F8', 'Control_L');
  await desk.type('keydown', 'F8');
  await expect.poll(listener.events).toEqual(['press']);
  // Longer than any keyboard waits before it repeats.
  const before = desk.heardByOther.length;
  await expect.poll(() => desk.heardByOther.length).toBeGreaterThan(before + 10);
  expect(listener.events()).toEqual(['press']);
  await desk.type('type', 'secret');
  await desk.type('keyup', 'F8');
  await expect.poll(listener.events).toEqual(['press', 'release']);
  const said = listener.lines.filter(({ kind }) => kind === 'message');
  expect(said.map(({ message }) => message)).toEqual([
    { kind: 'ready' },
    { kind: 'key', event: 'press' },
    { kind: 'key', event: 'release' },
  ]);
});
