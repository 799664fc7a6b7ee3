import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { playInto, recordFrom } from '../bench/sound/sound-processes.ts';
import { Tone } from '../bench/sound/tone.ts';
import type { OpenedBeside } from './sound/open-beside.ts';
import type { Heard } from './sound/play-and-hear.ts';
import { runTool } from './sound/run-tool.ts';
import { missingSoundServer, SoundServer } from './sound/sound-server.ts';
import { ToneMeter } from './sound/tone-meter.ts';

const here = (file: string): string => fileURLToPath(new URL(`sound/${file}`, import.meta.url));

async function missingTools(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'only ALSA’s devices can be made strict';
  const { code } = await runTool('gcc', ['--version']);
  return code === 0 ? missingSoundServer() : 'gcc is not installed';
}

const missing = await missingTools();
/** The RMS of the played sine. */
const defaultLevel = 0.5 / Math.SQRT2;

describe('a device that accepts only its own rate and channels', { timeout: 60_000 }, () => {
  let server: SoundServer;

  beforeEach(async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    server = new SoundServer('short');
    await server.start();
  });

  afterEach(async () => {
    await server.end();
  });

  it.each([
    { rate: 48_000, channels: 8 },
    { rate: 44_100, channels: 8 },
    { rate: 44_100, channels: 2 },
    { rate: 48_000, channels: 1 },
  ])('is played and heard at $rate Hz with $channels channels', async ({ rate, channels }) => {
    const strict = await buildStrict(server);
    const { ran, atMonitor } = await playAndHear(server, strict, { rate, channels });
    expect(ran.code).toBe(0);
    const heard = JSON.parse(ran.output) as Heard;
    expect(heard.problems).toEqual([]);
    expect(heard.devices).toEqual([
      expect.objectContaining({ rate, inputChannels: channels, outputChannels: channels }),
    ]);
    expect(heard.rates).toEqual([rate]);
    // The sound server mixes between two channels and eight, and attenuates them.
    const minDb = channels > 2 ? -5 : -1;
    expect({ heard: judge(heard.tone, minDb), atMonitor: judge(atMonitor, minDb) }).toEqual({
      heard: 'ours',
      atMonitor: 'ours',
    });
  });

  it('is opened at its own rate even while microphones capture', async () => {
    const ran = await runStrict('open-beside.ts', server, await buildStrict(server), {
      rate: 48_000,
      channels: 8,
    });
    expect(ran.code, ran.output).toBe(0);
    const opened = JSON.parse(ran.output) as OpenedBeside;
    expect(opened).toEqual({ rates: [48_000], problems: [] });
  });
});

/** The tone has 433.7 Hz; playing at a wrong rate would change it by a third or more. */
function judge(tone: ToneMeter['tone'], minDb: number): string {
  const db = 20 * Math.log10(tone.level / defaultLevel);
  const ours = tone.hertz > 425 && tone.hertz < 442 && db > minDb && db < 1;
  return ours ? 'ours' : JSON.stringify(tone);
}

async function buildStrict(server: SoundServer): Promise<string> {
  const strict = server.file('strict.so', new Uint8Array());
  const words = ['-shared', '-fPIC', '-o', strict, here('strict-devices.c')];
  expect((await runTool('gcc', words)).code).toBe(0);
  return strict;
}

interface DeviceFormat {
  readonly rate: number;
  readonly channels: number;
}

/** Runs a module in a process whose device accepts only one format. */
function runStrict(module: string, server: SoundServer, strict: string, format: DeviceFormat) {
  return runTool(process.execPath, [here('run-module.mjs'), here(module)], {
    ...server.environment,
    LD_PRELOAD: strict,
    ONLY_RATE: String(format.rate),
    ONLY_CHANNELS: String(format.channels),
  });
}

/** Plays one tone and captures another. */
async function playAndHear(server: SoundServer, strict: string, format: DeviceFormat) {
  const meter = new ToneMeter(outputRate);
  const recording = recordFrom('speaker.monitor', outputRate, server.environment, meter.push);
  const microphone = playInto('mic', inputRate, 200, server.environment);
  void microphone.play(new Tone(inputRate).next(20 * inputRate));
  const ran = await runStrict('play-and-hear.ts', server, strict, format);
  recording.end();
  microphone.end();
  return { ran, atMonitor: meter.tone };
}
