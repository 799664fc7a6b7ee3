import { spawn, spawnSync } from 'node:child_process';

/** Why the virtual sound card is not there, or nothing. */
export function missingCard(): string | undefined {
  const sinks = spawnSync('pactl', ['list', 'short', 'sinks'], { encoding: 'utf8' });
  if (sinks.status !== 0) return 'no sound server answers pactl';
  return /\tmic\t/.test(sinks.stdout) ? undefined : 'this sound server is not the virtual card';
}

/** Speaks into the virtual microphone; the promise ends when everything was taken. */
export async function speakInto(samples: Float32Array, rate: number): Promise<void> {
  const ways = ['--format=float32le', `--rate=${rate}`, '--channels=1', '--latency-msec=50'];
  const child = spawn('pacat', ['--playback', '--device=mic', ...ways], { stdio: 'pipe' });
  child.stdin.end(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
  await new Promise((done) => {
    child.on('close', done);
  });
}

/** Listens to the virtual speaker until it is ended. */
export function listenToSpeaker(rate: number): { readonly end: () => Promise<Float32Array> } {
  const ways = ['--format=float32le', `--rate=${rate}`, '--channels=1', '--latency-msec=10'];
  const child = spawn('parec', ['--device=speaker.monitor', ...ways], { stdio: 'pipe' });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => {
    parts.push(part);
  });
  return {
    end: async () => {
      const closed = new Promise((done) => {
        child.on('close', done);
      });
      child.kill();
      await closed;
      const bytes = Buffer.concat(parts);
      const samples = new Float32Array(Math.floor(bytes.length / 4));
      for (let n = 0; n < samples.length; n += 1) samples[n] = bytes.readFloatLE(n * 4);
      return samples;
    },
  };
}
