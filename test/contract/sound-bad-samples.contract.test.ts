import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Heard } from './sound/play-and-hear.ts';
import { runTool } from './sound/run-tool.ts';
import { missingSoundServer, SoundServer } from './sound/sound-server.ts';

const here = (file: string): string => fileURLToPath(new URL(`sound/${file}`, import.meta.url));

const missing = await missingSoundServer();

let server: SoundServer;

beforeEach(async ({ skip }) => {
  if (missing !== undefined) skip(missing);
  server = new SoundServer('short');
  await server.start();
});

afterEach(async () => {
  await server.end();
});

it(
  'silences and counts what a device hands out that is no number',
  { timeout: 60_000 },
  async () => {
    // One in four is a number; ALSA hands the file out in place of what is captured.
    const samples = new Float32Array(1_000_000).map(
      (_, at) => [0.5, NaN, Infinity, -Infinity][at % 4] ?? 0,
    );
    const file = server.file('bad.raw', new Uint8Array(samples.buffer));
    const kind = `type file file "/dev/null" infile "${file}" format raw`;
    server.configure(`pcm.!default { ${kind} slave.pcm { type pulse } }\n`);
    const words = [here('run-module.mjs'), here('play-and-hear.ts')];
    const { code, output } = await runTool(process.execPath, words, server.environment);
    expect(code).toBe(0);
    const heard = JSON.parse(output) as Heard;
    expect(heard.repaired).toBeGreaterThan(16_000);
    // A quarter of the samples are left, of 0.5 each.
    expect(heard.tone.level).toBeGreaterThan(0.2);
    expect(heard.tone.level).toBeLessThan(0.3);
  },
);
