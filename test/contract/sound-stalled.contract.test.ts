import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordFrom } from '../bench/sound/sound-processes.ts';
import { joined } from '../scenes/monitor.ts';
import { partsOfRamp } from './sound/ramp.ts';
import { missingSoundServer, SoundServer } from './sound/sound-server.ts';

const missing = await missingSoundServer();
const here = (file: string): string => fileURLToPath(new URL(`sound/${file}`, import.meta.url));
const rate = 24_000;
const stalls = 6;

let server: SoundServer;
let player: ChildProcessWithoutNullStreams | undefined;

beforeEach(async ({ skip }) => {
  if (missing !== undefined) skip(missing);
  server = new SoundServer();
  await server.start();
});

afterEach(async () => {
  // It may stand still.
  player?.kill('SIGKILL');
  await server.end();
});

/**
 * Every break makes PortAudio begin the stream anew, and with a listener beside it PulseAudio breaks it again
 * and again, for up to a second: what the device takes meanwhile it throws away.
 */
it('loses nothing of a sound where its process stands still', { timeout: 60_000 }, async () => {
  const heard: Float32Array[] = [];
  const recording = recordFrom('speaker.monitor', rate, server.environment, (block) =>
    heard.push(block),
  );
  const playing = spawn(process.execPath, [here('run-module.mjs'), here('play-ramp.ts')], {
    env: { ...process.env, ...server.environment },
  });
  player = playing;
  // The sound system's own complaints.
  playing.stderr.resume();
  const ended = once(playing, 'exit');
  await once(createInterface(playing.stdout), 'line');
  for (let stall = 0; stall < stalls; stall += 1) {
    await wait(1100);
    playing.kill('SIGSTOP');
    await wait(80);
    playing.kill('SIGCONT');
  }
  expect(await ended).toEqual([0, null]);
  await wait(300);
  recording.end();
  const { never, twice } = partsOfRamp(joined(heard), rate);
  process.stdout.write(
    `stalled ${stalls} times: ${never * 20} ms of 10 s were never heard, ${twice * 20} ms twice\n`,
  );
  expect(never).toBeLessThanOrEqual(stalls);
  expect(twice).toBeLessThanOrEqual(stalls * 2);
});
