import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a program to its end; a missing one has exit code 127. */
export function runTool(
  tool: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly output: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    // A library preloaded into Node must not affect the sound server’s tools.
    const { LD_PRELOAD, ...env } = process.env;
    const under = tool === process.execPath && LD_PRELOAD !== undefined ? { LD_PRELOAD } : {};
    const child = spawn(tool, words, { env: { ...env, ...under, ...environment } });
    let output = '';
    let stderr = '';
    child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
    child.on('error', () => {
      resolve({ code: 127, output, stderr });
    });
    child.on('close', (code) => {
      resolve({ code: code ?? 1, output, stderr });
    });
  });
}

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
