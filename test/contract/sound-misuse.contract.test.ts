import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runTool } from './sound/run-tool.ts';
import { missingSoundServer, SoundServer } from './sound/sound-server.ts';

const here = (file: string): string => fileURLToPath(new URL(`sound/${file}`, import.meta.url));
const missing = await missingSoundServer();

describe('the addon', { timeout: 60_000 }, () => {
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
    const { code, output, complaints } = await runTool(
      process.execPath,
      words,
      server?.environment,
    );
    // PortAudio itself says of every refusal where in its sources it was.
    const others = complaints.split('\n').filter((line) => !line.startsWith('Expression '));
    expect({ code, complaints: others.join('\n') }).toEqual({ code: 0, complaints: '' });
    return JSON.parse(output);
  };

  it('takes nothing for a stream that is not its own, not even what Node calls external', async () => {
    expect(await misuse('strangers')).toEqual(['object', 'a stream is expected']);
  });

  it('opens or refuses every plan, whatever stands in it', async () => {
    expect(await misuse('plans')).toBe(2 * 7 * 9);
  });

  it('closes what is collected, and wakes nobody for it any more', async () => {
    expect(await misuse('collected')).toBe(0);
  });

  it('answers while a stream is being closed, and while PortAudio ends', async () => {
    expect(await misuse('asked')).toBeGreaterThan(12);
  });

  it('survives environments that end with streams open, or being opened', async () => {
    expect(await misuse('environments')).toBe(0);
  });
});
