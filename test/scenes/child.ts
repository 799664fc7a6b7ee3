import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** A module's `run` in a process of its own. */
export class Child {
  readonly process: ChildProcess;
  /** What it complained of; a test shows it where something is missing. */
  complaints = '';

  constructor(
    module: string,
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ) {
    this.process = fork(here('../contract/sound/run-module.mjs'), [here(module), ...words], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    this.process.stderr?.on('data', (piece: Buffer) => {
      this.complaints += piece.toString();
    });
  }

  get gone(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** As the power would. */
  async kill(): Promise<void> {
    if (this.gone) return;
    const exited = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await exited;
  }

  /** Where it does not go by itself it is killed, and that is said. */
  async exited(): Promise<boolean> {
    for (let attempt = 0; attempt < 200 && !this.gone; attempt += 1) await wait(50);
    const went = this.gone;
    await this.kill();
    return went;
  }
}
