import { once } from 'node:events';
import { expect, test } from '../fixtures/host-test.ts';
import { spawnDesktop } from '../fixtures/spawn-desktop.ts';

test('Parley names a configuration folder it cannot write to', async ({ host }) => {
  test.skip(
    process.platform !== 'linux',
    'only Linux has a folder in which even root cannot create files (/proc)',
  );
  const parley = spawnDesktop('/proc', host);
  const exit = once(parley, 'exit');
  let output = '';
  for (const stream of [parley.stdout, parley.stderr])
    stream.on('data', (piece: Buffer) => (output += piece.toString()));
  try {
    const sentence = 'Parley cannot open, because it cannot write to /proc.';
    await expect.poll(() => output).toContain(sentence);
    expect(output).not.toContain('already running');
  } finally {
    // The dialog stays open, so the test kills the process.
    parley.kill('SIGKILL');
    await exit;
  }
});
