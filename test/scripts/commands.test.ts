import { join, resolve } from 'node:path';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { command, expectSentence, makeTree, put, read, runScript } from './tree.ts';
import { encodeWav } from '../../shared/audio/wav.ts';
import { workFolder } from '../fakes/work-folder.ts';

describe('parley', () => {
  it('prints its preparation on stderr and only the command’s output on stdout', async () => {
    const tree = makeTree();
    const first = await runScript(tree, 'parley.mjs', ['chat', '--json', 'hello']);
    expect(first).toMatchObject({
      code: 0,
      stdout: 'CLI chat --json hello\n',
      stderr: 'Installing dependencies (first start only)…\nBuilding Parley…\n',
    });
    expect(await runScript(tree, 'parley.mjs', ['devices'])).toMatchObject({
      code: 0,
      stdout: 'CLI devices\n',
      stderr: '',
    });
  });

  it('prints a bug in one line, and the stack only with PARLEY_DEBUG=1', async () => {
    const tree = makeTree();
    await runScript(tree, 'parley.mjs');
    put(tree, 'out/main/cli.js', 'throw new TypeError("x is not a function\\nmore");');
    const ended = await runScript(tree, 'parley.mjs');
    expectSentence(
      ended,
      1,
      "Parley's start script failed: x is not a function. Set PARLEY_DEBUG=1 to see where.",
    );
    const debug = await runScript(tree, 'parley.mjs', [], { env: { PARLEY_DEBUG: '1' } });
    expect(debug.stderr).toMatch(/^ {4}at /m);
  });
});

describe('npm run dist', () => {
  it('packs a folder with the local Electron runtime and names it', async () => {
    const tree = makeTree();
    put(tree, 'runtime/version', 'v33.4.11\n');
    put(tree, 'runtime/electron', '', 0o755);
    const folder = join(tree.root, 'runtime');
    const ended = await runScript(tree, 'dist.mjs', ['dir'], {
      env: { ELECTRON_OVERRIDE_DIST_PATH: folder },
    });
    expectSentence(ended, 0, 'Packed: release/linux-unpacked');
    expect(read(tree, 'builder-args')).toMatch(/^--\w+ dir --publish never /);
    expect(read(tree, 'builder-args')).toContain(
      `-c.electronDist=${folder} -c.electronVersion=33.4.11`,
    );
  });

  it('explains in one sentence why electron-builder failed', async () => {
    const ended = await runScript(makeTree(), 'dist.mjs', [], { env: { STUB_BUILDER: 'fail' } });
    expectSentence(
      ended,
      1,
      /^Parley could not be packed \(cannot find the icon; also, Electron's/,
    );
  });
});

describe('the tools that only tests need', () => {
  const body = `
    import { ensureTestTools, findChromium } from './lib/test-tools.mjs';
    await ensureTestTools();
    process.stdout.write(JSON.stringify(findChromium()));`;

  it('are found at the path in PARLEY_CHROMIUM', async () => {
    const tree = makeTree();
    put(tree, 'scripts/probe.mjs', body);
    command(tree, 'chromium');
    const PARLEY_CHROMIUM = join(tree.bin, 'chromium');
    const found = await runScript(tree, 'probe.mjs', [], { env: { PARLEY_CHROMIUM } });
    expect(found.stdout).toBe(JSON.stringify({ executable: PARLEY_CHROMIUM }));
  });
});

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
