import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** Why the virtual sound card is unavailable, or undefined. */
export function findVirtualCardProblem(): string | undefined {
  const sinks = spawnSync('pactl', ['list', 'short', 'sinks'], { encoding: 'utf8' });
  if (sinks.status !== 0) return 'no sound server answers pactl';
  return /\tmic\t/.test(sinks.stdout) ? undefined : 'this sound server is not the virtual card';
}

export interface SpeakerMonitor {
  /** Resolves once a sample exceeds the level. */
  readonly waitForLevel: (level: number) => Promise<void>;
  /** Resolves after sound followed by that many seconds of silence. */
  readonly waitForSilence: (seconds: number) => Promise<void>;
  readonly end: () => Promise<Float32Array>;
}

/** Records what the virtual card plays. */
export function listenToSpeaker(rate: number): SpeakerMonitor {
  const options = ['--format=float32le', `--rate=${rate}`, '--channels=1', '--latency-msec=10'];
  const child = spawn('parec', ['--device=speaker.monitor', ...options], { stdio: 'pipe' });
  const parts: Buffer[] = [];
  /** Samples since the last sound; below 0 until the first one. */
  let silentSamples = -Infinity;
  let peak = 0;
  let partialSample = Buffer.alloc(0);
  child.stdout.on('data', (part: Buffer) => {
    parts.push(part);
    // A chunk of the pipe may end inside a sample.
    const bytes = Buffer.concat([partialSample, part]);
    const samples = samplesOf(bytes);
    partialSample = bytes.subarray(samples.length * 4);
    for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
    const lastLoud = samples.findLastIndex((sample) => Math.abs(sample) > soundThreshold);
    silentSamples = lastLoud === -1 ? silentSamples + samples.length : samples.length - lastLoud;
  });
  return {
    waitForLevel: async (level) => {
      const isHeard = (): boolean => peak > level;
      while (!isHeard()) await once(child.stdout, 'data');
    },
    waitForSilence: async (seconds) => {
      const isQuiet = (): boolean => silentSamples >= seconds * rate;
      while (!isQuiet()) await once(child.stdout, 'data');
    },
    end: async () => {
      const closed = once(child, 'close');
      child.kill();
      await closed;
      return samplesOf(Buffer.concat(parts));
    },
  };
}

/** Above the noise of a virtual card. */
const soundThreshold = 0.003;

function samplesOf(bytes: Buffer): Float32Array {
  const samples = new Float32Array(Math.floor(bytes.length / 4));
  for (let n = 0; n < samples.length; n += 1) samples[n] = bytes.readFloatLE(n * 4);
  return samples;
}
