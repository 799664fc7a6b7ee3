import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillModelFolder, installStandIn, standInArguments } from './install-stand-in.ts';
import type { StandInReport } from './stand-in-report.ts';
import type { StandInFaults } from './stand-in-faults.ts';

/** Runs the stand-in for `llama-omni-server` as a process, with a temporary folder. */
export class StandInProcess {
  readonly folder = mkdtempSync(join(tmpdir(), 'parley-stand-in-'));
  /** Its TMPDIR. */
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
