import { expect, it } from 'vitest';
import type { Heard } from './sound/play-and-hear.ts';
import { soundServerForEach } from './sound/server-for-each.ts';

const { server, run } = await soundServerForEach();

it(
  'a microphone replaces and counts invalid samples of its device',
  { timeout: 60_000 },
  async () => {
    // One sample in four is valid; ALSA reads this file in place of the microphone.
    const samples = new Float32Array(1_000_000).map(
      (_, at) => [0.5, NaN, Infinity, -Infinity][at % 4] ?? 0,
    );
    const file = server().file('bad.raw', new Uint8Array(samples.buffer));
    const kind = `type file file "/dev/null" infile "${file}" format raw`;
    server().configure(`pcm.!default { ${kind} slave.pcm { type pulse } }\n`);
    const { code, output } = await run('play-and-hear.ts');
    expect(code).toBe(0);
    const heard = JSON.parse(output) as Heard;
    expect(heard.repaired).toBeGreaterThan(16_000);
    // A quarter of the samples remain, at 0.5 each.
    expect(heard.tone.level).toBeGreaterThan(0.2);
    expect(heard.tone.level).toBeLessThan(0.3);
  },
);
