import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, expectSentence, makeTree, put, read, runScript } from './tree.ts';

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

  it('says in one sentence why the preparation failed', async () => {
    const ended = await runScript(makeTree(), 'parley.mjs', [], { env: { STUB_NPM: 'offline' } });
    expectSentence(ended, 1, /the package registry could not be reached/);
    expect(ended.stdout).toBe('');
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

  it('says in one sentence why electron-builder failed', async () => {
    const ended = await runScript(makeTree(), 'dist.mjs', [], { env: { STUB_BUILDER: 'fail' } });
    expectSentence(
      ended,
      1,
      /^Parley could not be packed \(cannot find the icon; also, Electron's/,
    );
  });

  it('accepts only kinds of packages', async () => {
    const ended = await runScript(makeTree(), 'dist.mjs', ['--publish=always']);
    expectSentence(
      ended,
      2,
      'Name kinds of packages, such as dir, tar.gz or deb: npm run dist -- dir.',
    );
  });

  it('accepts one processor architecture', async () => {
    const ended = await runScript(makeTree(), 'dist.mjs', ['--x64', '--arm64']);
    expectSentence(ended, 2, 'Choose one processor, --x64 or --arm64, not both.');
  });
});

describe('the tools that only tests need', () => {
  const body = `
    import { ensureTestTools, findChromium } from './lib/test-tools.mjs';
    await ensureTestTools();
    process.stdout.write(JSON.stringify(findChromium()));`;

  it('are optional: a failed installation is reported and ignored', async (ctx) => {
    if (process.platform !== 'linux') ctx.skip('needs Linux');
    const tree = makeTree();
    put(tree, 'scripts/probe.mjs', body);
    const ended = await runScript(tree, 'probe.mjs');
    expect(ended.stderr).toMatch(
      /^Some tests will be skipped\. Parley needs Chromium, ffmpeg, Xvfb, openbox, xdotool, xev, dbus-daemon, update-desktop-database, tint2, xterm, l3afpad, trayer, gnome-keyring-daemon, secret-tool, zsh, fish, x86_64-w64-mingw32-g\+\+-posix: /,
    );
    expect([ended.code, ended.stdout]).toEqual([0, '{"reason":"no Chromium is installed"}']);
  });

  it('are found in PATH or where PARLEY_CHROMIUM says', async () => {
    const tree = makeTree();
    put(tree, 'scripts/probe.mjs', body);
    command(tree, 'chromium');
    command(tree, 'Xvfb');
    const found = await runScript(tree, 'probe.mjs');
    expect(found.stdout).toBe(JSON.stringify({ executable: join(tree.bin, 'chromium') }));
    const wrong = await runScript(tree, 'probe.mjs', [], { env: { PARLEY_CHROMIUM: '/nowhere' } });
    expect(wrong.stdout).toContain('PARLEY_CHROMIUM=/nowhere is not a program');
    rmSync(join(tree.bin, 'chromium'));
  });
});
