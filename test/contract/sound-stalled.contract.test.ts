import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordFrom } from '../bench/sound/sound-processes.ts';
import { partsOfRamp } from './sound/ramp.ts';
import { missingSoundServer, SoundServer } from './sound/sound-server.ts';
import { reportMeasurement } from '../set-up/report-measurement.ts';
import { joinSamples } from '../../electron/audio/dsp/samples.ts';

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
  // The process may be stopped.
  player?.kill('SIGKILL');
  await server.end();
});

/**
 * Every break makes PortAudio restart the stream. With a listener, PulseAudio then breaks it repeatedly for up
 * to a second, and the device discards what it takes meanwhile.
 */
it(
  'a speaker loses little sound when its process is stopped for a moment',
  { timeout: 60_000 },
  async () => {
    const heard: Float32Array[] = [];
    const recording = recordFrom('speaker.monitor', rate, server.environment, (block) =>
      heard.push(block),
    );
    const playing = spawn(process.execPath, [here('run-module.mjs'), here('play-ramp.ts')], {
      env: { ...process.env, ...server.environment },
    });
    player = playing;
    // Warnings of the sound system.
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
    const { never, twice } = partsOfRamp(joinSamples(heard), rate);
    reportMeasurement(
      `stalled ${stalls} times: ${never * 20} ms of 10 s were never heard, ${twice * 20} ms twice`,
    );
    expect(never).toBeLessThanOrEqual(stalls);
    expect(twice).toBeLessThanOrEqual(stalls * 2);
  },
);
