import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runTool } from './sound/run-tool.ts';
import { missingSoundServer, SoundServer } from './sound/sound-server.ts';

const here = (file: string): string => fileURLToPath(new URL(`sound/${file}`, import.meta.url));
const missing = await missingSoundServer();

describe('the sound addon', { timeout: 60_000 }, () => {
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

  const misuse = async (name: string): Promise<unknown> => {
    const words = [here('run-module.mjs'), here('misuse-addon.ts'), name];
    const { code, output, stderr } = await runTool(process.execPath, words, server?.environment);
    // PortAudio prints its source location for every refusal.
    const others = stderr.split('\n').filter((line) => !line.startsWith('Expression '));
    expect({ code, stderr: others.join('\n') }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(output);
  };

  it('rejects foreign values instead of streams, even Node’s own external values', async () => {
    expect(await misuse('passForeignValues')).toEqual(['object', 'a stream is expected']);
  });

  it('opens or refuses plans with extreme values', async () => {
    // Two directions, seven fields of a plan, nine values.
    expect(await misuse('openExtremePlans')).toBe(2 * 7 * 9);
  });

  it('closes streams that are garbage-collected', async () => {
    expect(await misuse('collectStreams')).toBe(0);
  });

  it('answers while a stream closes and while PortAudio ends', async () => {
    // In at least one of 12 rounds, several queries ran before the stream had closed.
    expect(await misuse('queryWhileClosing')).toBeGreaterThan(12);
  });

  it('survives worker threads that end with open or opening streams', async () => {
    expect(await misuse('endEnvironments')).toBe(0);
  });
});
