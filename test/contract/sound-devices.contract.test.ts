import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { forkChild, soundProbeEntry } from '../../electron/hosts/fork-child.ts';
import { createComputerSound } from '../../electron/platform/computer-sound.ts';
import { SoundProbe } from '../../electron/platform/portaudio/sound-probe.ts';
import { done } from '../../shared/errors/app-error.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { playInto, recordFrom } from '../bench/sound/sound-processes.ts';
import { Tone } from '../bench/sound/tone.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { isDefaultTier } from '../set-up/test-tiers.ts';
import { runTool } from './sound/run-tool.ts';
import { soundServerForEach } from './sound/sound-server.ts';
import { type Heard, type OpenedBeside, ToneMeter } from './sound/strict-programs.ts';

const here = (file: string): string => fileURLToPath(new URL(`sound/${file}`, import.meta.url));

const { server, run } = await soundServerForEach();

async function missingCompiler(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'only ALSA’s devices can be made strict';
  return (await runTool('gcc', ['--version'])).code === 0 ? undefined : 'gcc is not installed';
}

const missing = await missingCompiler();
/** The RMS of the played sine. */
const defaultLevel = 0.5 / Math.SQRT2;

describe('a device that accepts only its own rate and channels', { timeout: 60_000 }, () => {
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });

  it.each([
    { rate: 48_000, channels: 8 },
    { rate: 44_100, channels: 2 },
    ...(isDefaultTier
      ? []
      : [
          { rate: 44_100, channels: 8 },
          { rate: 48_000, channels: 1 },
        ]),
  ])('is played and heard at $rate Hz with $channels channels', async ({ rate, channels }) => {
    const { ran, atMonitor } = await playAndHear({ rate, channels });
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
    const ran = await runStrict('openBeside', { rate: 48_000, channels: 8 });
    expect(ran.code, ran.output).toBe(0);
    const opened = JSON.parse(ran.output) as OpenedBeside;
    expect(opened).toEqual({ rates: [48_000], problems: [] });
  });
});

/** The tone has 433.7 Hz; a wrong rate would change it by 8 % or more. */
function judge(tone: ToneMeter['tone'], minDb: number): string {
  const db = 20 * Math.log10(tone.level / defaultLevel);
  const ours = tone.hertz > 425 && tone.hertz < 442 && db > minDb && db < 1;
  return ours ? 'ours' : JSON.stringify(tone);
}

interface DeviceFormat {
  readonly rate: number;
  readonly channels: number;
}

/** Runs a program whose device accepts only one format. */
async function runStrict(program: string, format: DeviceFormat) {
  const library = server().file('strict.so', new Uint8Array());
  const words = ['-shared', '-fPIC', '-o', library, here('strict-devices.c')];
  expect((await runTool('gcc', words)).code).toBe(0);
  return runTool(process.execPath, [here('run-module.mjs'), here('strict-programs.ts'), program], {
    ...server().environment,
    LD_PRELOAD: library,
    ONLY_RATE: String(format.rate),
    ONLY_CHANNELS: String(format.channels),
  });
}

/** Plays one tone and captures another. */
async function playAndHear(format: DeviceFormat) {
  const { environment } = server();
  const meter = new ToneMeter(outputRate);
  const recording = recordFrom('speaker.monitor', outputRate, environment, meter.push);
  const microphone = playInto('mic', inputRate, 200, environment);
  void microphone.play(new Tone(inputRate).next(20 * inputRate));
  const ran = await runStrict('playAndHear', format);
  recording.end();
  microphone.end();
  return { ran, atMonitor: meter.tone };
}

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
    const { code, output } = await run('strict-programs.ts', 'playAndHear');
    expect(code).toBe(0);
    const heard = JSON.parse(output) as Heard;
    expect(heard.repaired).toBeGreaterThan(16_000);
    // A quarter of the samples remain, at 0.5 each.
    expect(heard.tone.level).toBeGreaterThan(0.2);
    expect(heard.tone.level).toBeLessThan(0.3);
  },
);

it('capturing the computer’s sound reports a missing program', async () => {
  const open = createComputerSound('no-such-program');
  const opened = await open?.({ captured: () => undefined });
  expect(opened).toMatchObject({ ok: false, error: { code: 'computerSoundProgramMissing' } });
});

it('capturing the computer’s sound fails with a reason if no sound server runs', async () => {
  await server().kill();
  for (const [name, value] of Object.entries(server().environment)) vi.stubEnv(name, value);
  const opened = await createComputerSound()?.({ captured: () => undefined });
  vi.unstubAllEnvs();
  expect(opened).toMatchObject({ ok: false, error: { code: 'computerSoundFailed' } });
});

it('capturing the computer’s sound ends when another speaker becomes the default', async () => {
  for (const [name, value] of Object.entries(server().environment)) vi.stubEnv(name, value);
  await server().plugIn('headset');
  const opened = await createComputerSound()?.({ captured: () => undefined });
  if (opened?.ok !== true) throw new Error('The computer’s sound is not captured.');
  await wait(500);
  expect(opened.value.stats().alive).toBe(true);
  await runTool('pactl', ['set-default-sink', 'headset'], server().environment);
  await vi.waitFor(() => expect(opened.value.stats().alive).toBe(false), { timeout: 5000 });
  await opened.value.close();
  vi.unstubAllEnvs();
});

const built = resolve(import.meta.dirname, '../../out/main/probe-sound.js');

describe('the sound probe', { timeout: 30_000 }, () => {
  it('allows sound if the sound system answers', async () => {
    if (!existsSync(built)) throw new Error(`${built} is missing: npm test builds it.`);
    const log = new FakeLog();
    const probe = new SoundProbe(forkChild({ ...soundProbeEntry, file: built }), log);
    expect(await probe.ask()).toEqual(done);
    expect(log.lines).toEqual([]);
  });

  it('crashes instead of the app, and reports its last output', async ({ skip }) => {
    if (process.platform !== 'linux') skip('only ALSA reads its configuration from a variable');
    // PortAudio finds no devices, as in an account that cannot read ALSA’s configuration.
    const emptyFile = workFolder()('asound.conf');
    await writeFile(emptyFile, '');
    vi.stubEnv('ALSA_CONFIG_PATH', emptyFile);
    const log = new FakeLog();
    const probe = new SoundProbe(forkChild({ ...soundProbeEntry, file: built }), log);
    expect(await probe.ask()).toMatchObject({
      ok: false,
      error: {
        code: 'soundCrashes',
        detail: expect.stringContaining('BuildDeviceList: Assertion') as string,
      },
    });
  });

  it('allows sound if it cannot start', async () => {
    const log = new FakeLog();
    const probe = new SoundProbe(forkChild({ ...soundProbeEntry, file: `${built}.missing` }), log);
    expect(await probe.ask()).toEqual(done);
    expect(log.lines.join()).toContain('without a probe');
  });
});
