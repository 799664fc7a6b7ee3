import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { urgentFork } from '../bench-helpers.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Runs a bench module in a child process, and receives its messages. */
export class BenchProcess<Message extends { readonly kind: string }, Command = never> {
  readonly #name: string;
  readonly #process: ChildProcess;
  readonly #listeners = new Set<(message: Message) => void>();

  constructor(module: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
    this.#name = module;
    this.#process = fork(here('../../contract/sound/run-module.mjs'), [here(module), ...args], {
      ...urgentFork,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#process.on('message', (message: Message) => {
      for (const listener of this.#listeners) listener(message);
    });
  }

  /** Returns a function that stops listening. */
  listen(listener: (message: Message) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  send(command: Command & string): void {
    this.#process.send(command);
  }

  /** The next message of a kind. Throws after `timeoutMs`, or when the child ends. */
  async until<Kind extends Message['kind']>(
    kind: Kind,
    timeoutMs = 15_000,
  ): Promise<Extract<Message, { readonly kind: Kind }>> {
    type Awaited = Extract<Message, { readonly kind: Kind }>;
    const isAwaited = (message: Message): message is Awaited => message.kind === kind;
    const timeout = new AbortController();
    let stop = (): void => undefined;
    const awaited = new Promise<Awaited>((resolve) => {
      stop = this.listen((message) => {
        if (isAwaited(message)) resolve(message);
      });
    });
    const late = wait(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined);
    const gone = once(this.#process, 'exit', { signal: timeout.signal }).catch(() => undefined);
    const found = await Promise.race([awaited, late, gone]);
    stop();
    timeout.abort();
    if (found === undefined || Array.isArray(found)) {
      throw new Error(`${this.#name} sent no "${kind}".`);
    }
    return found;
  }

  async end(): Promise<void> {
    const gone = once(this.#process, 'exit');
    const timeout = new AbortController();
    const { signal } = timeout;
    const late = wait(5000, undefined, { signal }).catch(() => undefined);
    if (this.#process.exitCode === null) await Promise.race([gone, late]);
    timeout.abort();
    this.#process.kill('SIGKILL');
  }

  leave(): void {
    if (this.#process.connected) this.#process.disconnect();
  }
}
