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

  it.each(['guarded', 'plain'])(
    'end a %s process with a stack if the callback throws',
    async (variant) => {
      const { code, complaints } = await run('throw-while-hearing.ts', variant);
      expect(code).toBe(1);
      expect(complaints).toContain('Error: who hears has a fault');
      expect(complaints).toMatch(/at (?:\w+\.)?drain/);
      const sentence = 'Parley has a fault and must end (who hears has a fault): start it again.\n';
      expect(complaints.split(sentence).length - 1).toBe(variant === 'guarded' ? 1 : 0);
    },
  );

  it('leave no waker open after 200 openings of a microphone', async () => {
    const { code, output } = await run('open-often.ts', '200');
    expect(code).toBe(0);
    expect(JSON.parse(output) as OpenedOften).toEqual({ problems: [], wakers: [1, 0] });
  });
});
