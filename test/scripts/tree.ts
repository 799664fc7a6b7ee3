import { spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { builderStub, electronViteStub, npmStub } from './stubs.ts';

const repository = join(import.meta.dirname, '..', '..');
export const isRoot = process.getuid?.() === 0;
const nobody = 65534;

/** A tiny project with the real scripts and stubs for everything they would call. */
export type Tree = Readonly<{ root: string; bin: string; env: NodeJS.ProcessEnv }>;

export type RunResult = Readonly<{
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}>;

const packages = ['demo', 'naudiodon', 'electron', 'electron-vite', 'electron-builder'];

export const put = (tree: Tree, file: string, text: string, mode = 0o644): void => {
  const path = join(tree.root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
};

export const read = (tree: Tree, file: string): string =>
  readFileSync(join(tree.root, file), 'utf8');

/** Adds a command to the tree's PATH. */
export const command = (tree: Tree, name: string, body = 'exit 0'): void =>
  put(tree, `bin/${name}`, `#!/bin/sh\n${body}\n`, 0o755);

export const makeTree = (): Tree => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-scripts-')));
  chmodSync(root, 0o755); // `nobody` must be able to enter it
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(join(repository, 'scripts'), join(root, 'scripts'), { recursive: true });
  const bin = join(root, 'bin');
  const env = {
    PATH: bin,
    HOME: root,
    TMPDIR: join(root, 'tmp'),
    LD_LIBRARY_PATH: join(root, 'lib'),
    npm_execpath: join(root, 'npm', 'npm-cli.js'),
  };
  const tree: Tree = { root, bin, env };
  const manifest = { name: 'tiny', type: 'module', dependencies: { demo: '1.0.0' } };
  const entries = packages.map((name) => [`node_modules/${name}`, { version: '1.0.0' }] as const);
  put(tree, 'package.json', JSON.stringify(manifest));
  put(tree, 'package-lock.json', JSON.stringify({ packages: Object.fromEntries(entries) }));
  put(tree, 'electron/main.ts', 'export const one = 1;\n');
  put(tree, 'lib/libasound.so.2', '');
  put(tree, 'tmp/.keep', '');
  put(tree, 'npm/package.json', '{}');
  put(tree, 'npm/npm-cli.js', npmStub);
  put(tree, 'npm/electron-vite.js', electronViteStub);
  put(tree, 'npm/cli.js', builderStub);
  for (const tool of ['make', 'g++', 'python3']) command(tree, tool);
  return tree;
};

const chownToNobody = (path: string): void => {
  chownSync(path, nobody, nobody);
  if (!statSync(path).isDirectory()) return;
  for (const entry of readdirSync(path)) chownToNobody(join(path, entry));
};

export type ScriptOptions = Readonly<{
  env?: NodeJS.ProcessEnv;
  /** Runs as `nobody` if the tests run as root. */
  ordinaryUser?: boolean;
  /** Runs as this user without changing the tree's owner; needs root. */
  uid?: number;
  /** Node options before the script. */
  node?: readonly string[];
  onOutput?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
}>;

export const runScript = (
  tree: Tree,
  script: string,
  args: readonly string[] = [],
  options: ScriptOptions = {},
): Promise<RunResult> =>
  new Promise((resolve, reject) => {
    const drop = options.ordinaryUser === true && isRoot;
    if (drop) chownToNobody(tree.root);
    const child = spawn(process.execPath, [...(options.node ?? []), `scripts/${script}`, ...args], {
      cwd: tree.root,
      env: { ...tree.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
      ...(drop ? { uid: nobody, gid: nobody } : {}),
    });
    let stdout = '';
    let stderr = '';
    const handleOutput = (): void =>
      options.onOutput?.(stdout + stderr, (signal) => child.kill(signal));
    child.stdout.on('data', (data: Buffer) => {
      stdout += data.toString();
      handleOutput();
    });
    child.stderr.on('data', (data: Buffer) => {
      stderr += data.toString();
      handleOutput();
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });

/** Checks the exit code, the last line of stderr, and that there is no stack trace. */
export const expectSentence = (ended: RunResult, code: number, sentence: string | RegExp): void => {
  const last = ended.stderr.trimEnd().split('\n').at(-1) ?? '';
  expect(ended.stderr).not.toMatch(/^ {4}at /m);
  if (typeof sentence === 'string') expect(last).toBe(sentence);
  else expect(last).toMatch(sentence);
  expect(ended.code).toBe(code);
};

/** Runs `npm start -- --browser`, and removes the warning for root from stderr. */
export const startInBrowser = async (
  tree: Tree,
  env: Readonly<Record<string, string>> = {},
): Promise<RunResult> => {
  const ended = await runScript(tree, 'start.mjs', ['--browser'], { env });
  return { ...ended, stderr: ended.stderr.replace(/^Parley runs as root, .*\n/m, '') };
};
