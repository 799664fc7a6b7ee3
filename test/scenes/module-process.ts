import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Runs a module's `run` in a child process. */
export class ModuleProcess {
  readonly process: ChildProcess;
  stderr = '';

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
      this.stderr += piece.toString();
    });
  }

  get gone(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** Kills without warning, like a power failure. */
  async kill(): Promise<void> {
    if (this.gone) return;
    const exited = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await exited;
  }

  /** Waits for the exit; kills the child and returns false if it does not exit itself. */
  async exited(): Promise<boolean> {
    for (let attempt = 0; attempt < 200 && !this.gone; attempt += 1) await wait(50);
    const went = this.gone;
    await this.kill();
    return went;
  }
}
