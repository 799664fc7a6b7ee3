import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, it, vi } from 'vitest';

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const cli = resolve(import.meta.dirname, '../../out/main/cli.js');

/** `parley … | head -1`: the reader goes after the first that it has read, or before anything comes. */
async function readBriefly(args: readonly string[], first: boolean) {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let err = '';
  child.stderr.on('data', (data: Buffer) => (err += data.toString()));
  const exit = once(child, 'exit');
  if (first) await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code, signal] = (await exit) as [number | null, string | null];
  return { code, signal, err };
}

it('a command ends silently when the reader of its results is gone', async () => {
  expect(await readBriefly(['--help'], false)).toEqual({ code: 0, signal: null, err: '' });
});

it('a talk ends as at Ctrl-C when the reader of its events is gone', async () => {
  const talk = ['talk', '--mode', 'audio', '--input', 'resources/speech/see.wav', '--json'];
  const { code, signal, err } = await readBriefly(talk, true);
  expect(signal).toBeNull();
  expect(code).toBeLessThanOrEqual(1);
  expect(err).not.toMatch(/EPIPE|fault|^\s+at /m);
});
