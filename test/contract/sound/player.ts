import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface PlayerMessage {
  readonly word: 'event' | 'stats' | 'ended';
  readonly at: number;
  readonly who?: string;
  readonly kind?: string;
  readonly heard?: number;
  readonly captured?: number;
  readonly silenced?: number;
  readonly samples?: number;
  readonly lost?: number;
  readonly devices?: number;
  readonly rss?: number;
}

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** The process that plays and captures, with its reports. */
export class Player {
  readonly messages: PlayerMessage[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly exited: Promise<number | null>;

  constructor(environment: Readonly<Record<string, string>>, speaker = 'default') {
    const words = [here('run-module.mjs'), here('keep-playing.ts'), speaker];
    this.#child = spawn(process.execPath, words, {
      env: { ...process.env, ...environment },
    });
    let rest = '';
    this.#child.stdout.on('data', (piece: Buffer) => {
      const lines = (rest + piece.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.messages.push(JSON.parse(line) as PlayerMessage);
    });
    // Warnings of the sound system.
    this.#child.stderr.resume();
    this.exited = new Promise((resolve) => this.#child.once('exit', resolve));
  }

  get stats(): PlayerMessage | undefined {
    return this.messages.findLast(({ word }) => word === 'stats');
  }

  /** The first matching message after `since`. */
  async until(
    what: string,
    since: number,
    matches: (message: PlayerMessage) => boolean,
  ): Promise<PlayerMessage> {
    for (let attempt = 0; attempt < 400; attempt += 1) {
      const found = this.messages.find((message) => message.at >= since && matches(message));
      if (found !== undefined) return found;
      await wait(25);
    }
    throw new Error(`Timed out waiting until ${what}.`);
  }

  /** The exit code; undefined if it does not exit. */
  async askToEnd(): Promise<number | null | undefined> {
    this.#child.stdin.write('end\n');
    const patience = new AbortController();
    const { signal } = patience;
    const late = wait(10_000, undefined, { signal }).catch(() => undefined);
    const code = await Promise.race([this.exited, late]);
    patience.abort();
    return code;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

/** Milliseconds on a clock shared between processes. */
export function instant(): number {
  return performance.timeOrigin + performance.now();
}
