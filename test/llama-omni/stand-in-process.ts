import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { z } from 'zod';
import { jsonLine, type RunningCli, startCli } from '../fakes/run-cli.ts';
import type { StandInFaults } from './stand-in-faults.ts';
import { modelFileNames } from './stand-in-log.ts';
import type { StandInReport } from './stand-in-server.ts';

const bundler = join(import.meta.dirname, 'bundle-stand-in.mjs');
const speech = resolve(import.meta.dirname, '../../resources/speech');

let bundlePath: Promise<string> | undefined;

/** Bundles once per test file, because bundling takes most of an installation's time. */
async function bundleOnce(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-stand-in-bundle-'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  const file = join(folder, 'llama-omni-server.mjs');
  await promisify(execFile)(process.execPath, [bundler, file]);
  return file;
}

/** Installs the stand-in as an executable `llama-omni-server` in the folder, and returns its path. From the repository it needs only the recorded speech. */
export async function installStandIn(folder: string, faults: StandInFaults = {}): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const bundle = join(folder, 'llama-omni-server.mjs');
  bundlePath ??= bundleOnce();
  copyFileSync(await bundlePath, bundle);
  const program = join(folder, 'llama-omni-server');
  const lines = [
    '#!/bin/sh',
    `STAND_IN_SPEECH=${quote(speech)} STAND_IN_FAULTS=${quote(JSON.stringify(faults))} \\`,
    `exec ${quote(process.execPath)} ${quote(bundle)} "$@"`,
    '',
  ];
  writeFileSync(program, lines.join('\n'));
  chmodSync(program, 0o755);
  return program;
}

/** Writes small files under the model's names and returns the path for `-m`. */
export function fillModelFolder(folder: string): string {
  for (const name of modelFileNames) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), 'GGUF');
  }
  return join(folder, modelFileNames[0]);
}

/** Writes a catalogue of the folder's files, for `PARLEY_MODEL_CATALOGUE`. Without a mirror nothing can be downloaded. */
export function writeCatalogue(path: string, folder: string, mirror = 'http://127.0.0.1:9/'): void {
  const files = modelFileNames.map((name) => {
    const content = readFileSync(join(folder, name));
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { path: name, bytes: content.length, sha256 };
  });
  const mirrors = [{ id: 'huggingface', base: mirror }];
  writeFileSync(path, JSON.stringify({ revision: 'test', files, mirrors }));
}

/** The arguments that Parley starts `llama-omni-server` with, for a port of the test. */
function standInArguments(model: string, port: number, contextSize = 4096): string[] {
  const sampling =
    '--temp 0.7 --top-k 100 --top-p 0.8 --min-p 0 --repeat-penalty 1.05 --repeat-last-n 512';
  return [
    '-m',
    model,
    ...`--host 127.0.0.1 --port ${port} -ngl 99 --ctx-size ${contextSize} ${sampling}`.split(' '),
  ];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

type Line = z.infer<typeof jsonLine>;

/** `parley gateway` in front of the stand-in for `llama-omni-server`, both as processes. */
export class StandInGateway {
  readonly model = new StandInProcess();
  #gateway: RunningCli | undefined;

  /** Starts both; returns the gateway's address. */
  async start(faults: StandInFaults = {}, contextSize?: number): Promise<string> {
    await this.model.start(faults, contextSize);
    const context = contextSize === undefined ? [] : ['--context', String(contextSize)];
    const backend = ['--backend', this.model.url];
    this.#gateway = startCli(['gateway', ...backend, '--port', '0', '--json', ...context], null);
    const [, url = ''] = await this.#gateway.waitForOutput(/"url":"([^"]+)"/u);
    return url;
  }

  get pids(): readonly number[] {
    return [this.model.pid, this.#gateway?.child.pid ?? 0];
  }

  async end(): Promise<void> {
    this.#gateway?.child.kill('SIGINT');
    await this.#gateway?.ended;
    await this.model.end();
  }
}

/** The arguments of `parley talk` with a short recording as input. */
export const talkArguments = (mode: string, url: string): string[] => [
  'talk',
  '--mode',
  mode,
  '--input',
  'resources/speech/hear.wav',
  '--json',
  '--url',
  url,
];

/** Counts the samples of sound in the `--json` output of `parley talk`. */
export function countReceivedSamples(out: string): number {
  const lines = out.trimEnd().split('\n');
  return lines
    .map((line): Line => jsonLine.parse(JSON.parse(line)))
    .reduce((sum, line) => sum + (line.event === 'audio' ? line.samples : 0), 0);
}

/** Runs the stand-in for `llama-omni-server` as a process, with a temporary folder. */
export class StandInProcess {
  readonly folder = mkdtempSync(join(tmpdir(), 'parley-stand-in-'));
  /** The process's TMPDIR. */
  readonly temporary = join(this.folder, 'tmp');
  log = '';
  #child: ChildProcess | undefined;
  #port = 0;
  #restart: () => Promise<void> = () => Promise.reject(new Error('It was never started.'));

  /** Starts it and waits until it listens or has ended. */
  async start(faults: StandInFaults = {}, contextSize?: number): Promise<void> {
    mkdirSync(this.temporary, { recursive: true });
    const program = await installStandIn(join(this.folder, 'bin'), faults);
    const model = fillModelFolder(join(this.folder, 'model'));
    await this.run(program, standInArguments(model, 0, contextSize));
    this.#restart = () => this.run(program, standInArguments(model, this.#port, contextSize));
  }

  /** Waits until it has ended, and starts it again at the same port. */
  async restart(): Promise<void> {
    await this.exited();
    this.log = '';
    await this.#restart();
  }

  async run(program: string, args: readonly string[]): Promise<void> {
    const child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, TMPDIR: this.temporary },
    });
    this.#child = child;
    await new Promise<void>((resolve) => {
      child.stderr.on('data', (piece: Buffer) => {
        this.log += piece.toString();
        const [, port] = /listening on http:\/\/[\d.]+:(\d+)/u.exec(this.log) ?? [];
        if (port === undefined) return;
        this.#port = Number(port);
        resolve();
      });
      child.once('close', () => {
        resolve();
      });
    });
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** `ws://127.0.0.1:port/backend`. */
  get url(): string {
    return `ws://127.0.0.1:${this.#port}/backend`;
  }

  http(path: string): string {
    return `http://127.0.0.1:${this.#port}${path}`;
  }

  async report(): Promise<StandInReport> {
    const response = await fetch(this.http('/stand-in'));
    return (await response.json()) as StandInReport;
  }

  /** Resolves with its exit code, or the signal that ended it. */
  async exited(): Promise<number | NodeJS.Signals | null> {
    const child = this.#child;
    if (child === undefined) return null;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child.exitCode ?? child.signalCode;
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  /** Kills it and removes its folder. */
  async end(): Promise<void> {
    this.signal('SIGKILL');
    await this.exited();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Addresses in /proc/net, as `local → remote`, of every internet socket of the process. Linux only. */
export function socketAddresses(pid: number): readonly string[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/u.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        // The process has closed it meanwhile.
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/u))
      .filter((fields) => inodes.has(fields[9] ?? ''))
      .map(([, local = '', remote = '']) => `${local} → ${remote}`),
  );
}

const loopback = '0100007F';
const mappedLoopback = '0000000000000000FFFF00000100007F';
const loopback6 = '00000000000000000000000001000000';
const own = new Set([loopback, mappedLoopback, loopback6]);

/** Whether both ends are on loopback; a listening socket has no remote end. */
export function isLoopback(socket: string): boolean {
  const [local = '', remote = ''] = socket.split(' → ').map((end) => end.split(':')[0]);
  return own.has(local) && (own.has(remote) || /^0+$/u.test(remote));
}
