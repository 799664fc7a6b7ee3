import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OpenedOften } from './sound/open-often.ts';
import { runTool } from './sound/run-tool.ts';
import { missingSoundServer, SoundServer } from './sound/sound-server.ts';

const here = (file: string): string => fileURLToPath(new URL(`sound/${file}`, import.meta.url));
const missing = await missingSoundServer();

describe('callbacks of the sound addon', { timeout: 60_000 }, () => {
  let server: SoundServer | undefined;

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = new SoundServer('short');
    await server.start();
  });

  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });

  afterAll(() => server?.end());

  const run = (module: string, word: string) =>
    runTool(process.execPath, [here('run-module.mjs'), here(module), word], server?.environment);

  it.each([
    ['with the host’s crash handler', 'guarded'],
    ['without a crash handler', 'plain'],
  ])('end the process with a stack trace if they throw, %s', async (_, variant) => {
    const { code, stderr } = await run('throw-while-hearing.ts', variant);
    expect(code).toBe(1);
    expect(stderr).toContain('Error: the listener failed');
    expect(stderr).toMatch(/at (?:\w+\.)?drain/);
    const sentence = 'Parley hit a bug and has to close (the listener failed). Start it again.\n';
    expect(stderr.split(sentence).length - 1).toBe(variant === 'guarded' ? 1 : 0);
  });

  it('leave no handle that wakes JavaScript open after a microphone was opened 200 times', async () => {
    const { code, output } = await run('open-often.ts', '200');
    expect(code).toBe(0);
    expect(JSON.parse(output) as OpenedOften).toEqual({ problems: [], wakers: [1, 0] });
  });
});
