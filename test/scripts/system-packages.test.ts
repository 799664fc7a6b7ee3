import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMissingLibraries, findMissingOnLinux } from '../../scripts/lib/system-packages.mjs';
import { which } from '../../scripts/lib/run.mjs';
import { command, expectSentence, isRoot, makeTree, put, read, runScript } from './tree.ts';
import type { Tree } from './tree.ts';

const isLinux = process.platform === 'linux';
const isDebian = isLinux && /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(osRelease());

function osRelease(): string {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    return '';
  }
}

/** Runs `npm start` in a terminal, answers the question, and returns the output. */
function runInTerminal(tree: Tree, script: string, answer: string): Promise<string> {
  const line = `${process.execPath} scripts/start.mjs`;
  const child = spawn(script, ['-qec', line, '/dev/null'], {
    cwd: tree.root,
    env: { ...tree.env, SHELL: '/bin/sh' },
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString();
    if (output.includes('[y/N]') && child.stdin.writable) child.stdin.end(`${answer}\n`);
  });
  return new Promise((resolve) => {
    child.on('close', () => {
      resolve(output);
    });
  });
}

const treeWithout = (...tools: string[]): Tree => {
  const tree = makeTree();
  for (const tool of tools) rmSync(join(tree.bin, tool));
  return tree;
};

describe('the system packages that npm cannot install', () => {
  it('include the sound library if it is missing, even when nothing is compiled', () => {
    const deps = findMissingOnLinux({ compile: false, hasLibrary: () => false });
    expect(deps).toEqual([{ what: 'the ALSA library (libasound.so.2)', debian: 'libasound2' }]);
    expect(findMissingOnLinux({ compile: false, hasLibrary: () => true })).toEqual([]);
  });

  it('include the development files for parts without a prebuilt version for arm64', () => {
    const missingFor = (architecture: string) =>
      findMissingOnLinux({ compile: true, architecture, hasLibrary: () => false })
        .map(({ debian }) => debian)
        .filter((name) => name?.endsWith('-dev'));
    expect(missingFor('x64')).toEqual([]);
    expect(missingFor('arm64')).toEqual([
      'libasound2-dev',
      'libxrandr-dev',
      'libxt-dev',
      'libxtst-dev',
    ]);
    expect(
      findMissingOnLinux({ compile: false, architecture: 'arm64', hasLibrary: () => true }),
    ).toEqual([]);
  });

  it('are left to a user who is not root, with the command to run', async (ctx) => {
    if (!isDebian) ctx.skip('needs Debian or Ubuntu');
    const tree = treeWithout('g++', 'make');
    command(tree, 'apt-get', 'exit 1');
    const ended = await runScript(tree, 'start.mjs', [], { ordinaryUser: true });
    expectSentence(
      ended,
      1,
      'Parley needs system packages: run "sudo apt-get install -y make g++" and start it again.',
    );
  });

  it('are installed as root without a question with --yes', async (ctx) => {
    if (!isDebian || !isRoot) ctx.skip('needs root on Debian or Ubuntu');
    const tree = treeWithout('g++');
    command(tree, 'apt-get', 'echo called >> apt-calls\nexit 1');
    await runScript(tree, 'start.mjs', ['--yes']);
    expect(read(tree, 'apt-calls')).toBe('called\ncalled\n');
  });

  it.for([
    ['y', true],
    ['', false],
  ] as const)(
    'are installed only if the user in the terminal agrees (answer "%s")',
    async ([answer, installs], ctx) => {
      if (!isDebian || !isRoot) ctx.skip('needs root on Debian or Ubuntu');
      const script = which('script');
      if (script === undefined) return ctx.skip('needs the script command');
      const tree = treeWithout('g++');
      command(tree, 'apt-get', 'echo called >> apt-calls\nexit 1');
      const output = await runInTerminal(tree, script, answer);
      expect(output).toContain('Parley needs system packages: g++.');
      expect(output).toContain('Install them now with apt-get? [y/N]');
      expect(existsSync(join(tree.root, 'apt-calls'))).toBe(installs);
    },
  );

  it('are not installed if the user presses Ctrl-C at the question, and nothing else is opened', async (ctx) => {
    if (!isDebian || !isRoot) ctx.skip('needs root on Debian or Ubuntu');
    const script = which('script');
    if (script === undefined) return ctx.skip('needs the script command');
    const tree = treeWithout('g++');
    command(tree, 'apt-get');
    const output = await runInTerminal(tree, script, '\u0003');
    expect(output).toMatch(/\[y\/N\].*\s+Interrupted\.\s+$/u);
  });

  it('are installed under the names in this release of the system', async (ctx) => {
    if (!isDebian || !isRoot) ctx.skip('needs root on Debian or Ubuntu');
    const tree = makeTree();
    command(tree, 'apt-get', 'echo "$DEBIAN_FRONTEND $@" >> apt-calls');
    const lists = [
      'libasound2:\\n  Installed: (none)\\n  Candidate: (none)\\n',
      'libasound2t64:\\n  Installed: (none)\\n  Candidate: 1.2.11\\n',
      'libnss3:\\n  Installed: (none)\\n  Candidate: 2:3.98\\n',
    ];
    command(tree, 'apt-cache', `printf '${lists.join('')}'`);
    put(
      tree,
      'scripts/probe.mjs',
      `import { aptInstall } from './lib/apt.mjs';\nawait aptInstall(['libasound2', 'libnss3']);`,
    );
    const ended = await runScript(tree, 'probe.mjs');
    expectSentence(ended, 0, 'Installing system packages: libasound2, libnss3…');
    expect(read(tree, 'apt-calls')).toMatch(
      /^noninteractive .*update\nnoninteractive .*install -y --no-install-recommends libasound2t64 libnss3\n$/,
    );
  });
});

describe("Electron's libraries", () => {
  it('are mapped to Debian packages, once each', () => {
    const ldd = [
      '\tlinux-vdso.so.1 (0x0)',
      '\tlibnss3.so => not found',
      '\tlibsmime3.so => not found',
      '\tlibgtk-3.so.0 => not found',
      '\tlibodd.so.9 => not found',
      '\tlibc.so.6 => /lib/libc.so.6 (0x0)',
    ];
    expect(findMissingLibraries(ldd.join('\n')).map((need) => need.debian ?? need.what)).toEqual([
      'libnss3',
      'libgtk-3-0',
      'libodd.so.9',
    ]);
  });
});
