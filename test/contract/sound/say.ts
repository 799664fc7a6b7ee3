import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './run-tool.ts';

/**
 * Plays speech into the virtual microphone; resolves when it has been played. It uses a file, because pacat
 * reading a pipe takes a third of a processor.
 */
export async function say(
  samples: Float32Array,
  rate: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-say-'));
  const file = join(folder, 'words.raw');
  await writeFile(file, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
  const form = ['--format=float32le', `--rate=${rate}`, '--channels=1', '--latency-msec=50'];
  const words = ['--playback', '--device=mic', ...form, file];
  const { code } = await runTool('pacat', words, environment);
  await rm(folder, { recursive: true });
  if (code !== 0) throw new Error(`Nothing was said: pacat ended with ${code}.`);
}
