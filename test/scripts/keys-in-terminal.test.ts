import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it, vi } from 'vitest';
import { encodeWav } from '../../shared/audio/wav.ts';
import { workFolder } from '../fakes/work-folder.ts';

const root = resolve(import.meta.dirname, '../..');

const hasScript = (): boolean => {
  try {
    execFileSync('script', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

it('parley talk mutes and ends by keys in a real terminal, and restores the terminal’s mode', async (context) => {
  if (process.platform !== 'linux' || !hasScript())
    context.skip('script (util-linux) is not installed');
  const inWorkFolder = workFolder();
  const question = inWorkFolder('silence.wav');
  writeFileSync(
    question,
    encodeWav(new Float32Array(30 * 16_000), { rate: 16_000, channels: 1, coding: 'pcm16' }),
  );
  const talk = `node scripts/parley.mjs talk --mode audio --input ${question}`;
  const child = spawn(
    'script',
    ['-qec', `stty cols 100; stty -g; ${talk}; echo "exit $?"; stty -g`, '/dev/null'],
    { cwd: root, env: { ...process.env, PARLEY_STATE_DIR: inWorkFolder('state'), TERM: 'xterm' } },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const waitForText = (words: string) =>
    vi.waitFor(() => {
      expect(output).toContain(words);
    }, 40_000);
  await waitForText('Listening');
  child.stdin.write('m');
  await waitForText('You are muted');
  child.stdin.write('q');
  await once(child, 'close');
  expect(output).toContain('exit 0');
  const modes = output.match(/^[0-9a-f]+(:[0-9a-f]+){10,}/gm);
  expect(modes).toHaveLength(2);
  expect(modes?.[1]).toBe(modes?.[0]);
}, 90_000);
