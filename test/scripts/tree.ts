import { spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';

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

/** A stub of npm: installs a tiny node_modules. STUB_NPM: `fail`, `offline`, `hang` half-way, or `no-binding`. */
const npmStub = `
const { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
const put = (file, text) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
appendFileSync('npm-calls', process.argv.slice(2).join(' ') + ' nodedir=' + process.env.npm_config_nodedir + '\\n');
const how = process.env.STUB_NPM;
if (how === 'fail') {
  console.error('npm error code EWEIRD\\nnpm error The moon is in the way.\\n    at moon (npm.js:1:1)');
  process.exit(7);
}
if (how === 'offline') {
  console.error('npm error code ENOTFOUND\\nnpm error network request to somewhere failed');
  process.exit(1);
}
rmSync('node_modules', { recursive: true, force: true });
const { packages } = JSON.parse(require('node:fs').readFileSync('package-lock.json', 'utf8'));
for (const folder of Object.keys(packages)) put(folder + '/package.json', '{}');
if (how === 'hang') {
  console.error('half-way');
  writeFileSync('npm-pid', String(process.pid));
  setInterval(() => {}, 1000);
} else {
  if (how !== 'no-binding') put('node_modules/naudiodon/build/Release/naudiodon.node', 'binding');
  put('node_modules/parley-sound/build/Release/parley_sound.node', 'sound');
  put('node_modules/electron-vite/package.json', '{"type":"commonjs"}');
  put('node_modules/electron-builder/package.json', '{"type":"commonjs"}');
  mkdirSync('node_modules/electron-vite/bin');
  cpSync('npm/electron-vite.js', 'node_modules/electron-vite/bin/electron-vite.js');
  cpSync('npm/cli.js', 'node_modules/electron-builder/cli.js');
  put('node_modules/electron/install.js', 'console.error("TypeError: fetch failed"); process.exit(1);');
  put('node_modules/.package-lock.json', JSON.stringify({ packages }));
}
`;

/** A stub of electron-vite: writes all outputs. STUB_BUILD: `fail` with a syntax error, or `short` without cli.js. */
const electronViteStub = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
appendFileSync('builds', 'x');
if (process.env.STUB_BUILD === 'fail') {
  console.error('error during build:\\nError: electron/main.ts:1:7 Unexpected token\\n    at parse (parser.js:1:1)');
  process.exit(1);
}
const host = (name) => 'console.log("' + name + ' " + process.argv.slice(2).join(" "));';
for (const folder of ['main', 'preload', 'renderer']) mkdirSync('out/' + folder, { recursive: true });
writeFileSync('out/main/main.js', '');
writeFileSync('out/main/picture-worker.js', '');
writeFileSync('out/main/key-helper.js', '');
writeFileSync('out/main/probe-sound.js', '');
writeFileSync('out/main/browser.js', host('BROWSER') + 'if (process.env.STUB_HOST === "stay") setInterval(() => {}, 1000); else process.exitCode = Number(process.env.STUB_HOST ?? 0);');
if (process.env.STUB_BUILD !== 'short') writeFileSync('out/main/cli.js', host('CLI'));
writeFileSync('out/preload/preload.cjs', '');
writeFileSync('out/renderer/index.html', '');
`;

/** A stub of electron-builder. STUB_BUILDER: `fail`. */
const builderStub = `
if (process.env.STUB_BUILDER === 'fail') {
  console.error('  ⨯ cannot find the icon.  failedTask=build stackTrace=Error: no\\n    at pack (p.js:1:1)');
  process.exit(1);
}
console.log(process.argv.slice(2).join(' '));
require('node:fs').writeFileSync('builder-args', process.argv.slice(2).join(' '));
console.log('  • packaging       platform=linux arch=x64 electron=1.0.0 appOutDir=release/linux-unpacked');
`;
