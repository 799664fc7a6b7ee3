import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { openTape } from '../../electron/recordings/tape/open-tape.ts';
import { englishErrorMessage } from '../../shared/i18n/en/errors.ts';
import { putStoredTape } from '../fixtures/stored-tape.ts';

/** The dependencies for opening tapes. */
export const tapeDeps = { files: createFiles(), base64: bufferBase64 };

interface Opened {
  readonly lines: number;
  /** Its damage or error as a sentence; `whole` if there is none. */
  readonly message: string;
  readonly missing: readonly string[];
  readonly ms: number;
  readonly megabytes: number;
}

/** Opens a tape and plays every frame; returns the messages, time and memory. */
export async function openHostile(path: string): Promise<Opened> {
  const before = process.memoryUsage().rss;
  const began = performance.now();
  const tape = await openTape(path, tapeDeps);
  if (tape.ok)
    for (const line of tape.value.lines) if ('frame' in line) tape.value.frame(line.frame);
  const found = {
    lines: tape.ok ? tape.value.lines.length : 0,
    message: tape.ok
      ? tape.value.damage === undefined
        ? 'whole'
        : englishErrorMessage(tape.value.damage)
      : englishErrorMessage(tape.error),
    missing: tape.ok ? tape.value.missing() : [],
    ms: performance.now() - began,
    megabytes: (process.memoryUsage().rss - before) / 1_000_000,
  };
  if (tape.ok) tape.value.close();
  return found;
}

/** Limits far above what any of these tapes needs, and far below unbounded use. */
export function expectBounds({ ms, megabytes }: Opened): void {
  expect(ms).toBeLessThan(30_000);
  expect(megabytes).toBeLessThan(1200);
}

/** A valid tape before each test, for the test to corrupt. */
export class HostileTape {
  #root = '';
  #names: readonly string[] = [];

  constructor() {
    beforeEach(() => {
      this.#root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-hostile-')));
      this.restore();
      this.#names = readdirSync(this.folder).toSorted();
    });
    afterEach(() => {
      rmSync(this.#root, { recursive: true, force: true });
    });
  }

  /** Restores the valid tape. */
  restore(): void {
    putStoredTape('video', this.folder);
  }

  /** The names of its files before corruption. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** The parent of the tape’s folder. */
  get root(): string {
    return this.#root;
  }

  get folder(): string {
    return join(this.#root, 'tape');
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  rows(): string[] {
    return readFileSync(this.at('tape.ndjson'), 'utf8').trimEnd().split('\n');
  }

  /** For lines that are too many for the arguments of one call. */
  writeAll(lines: readonly string[]): void {
    writeFileSync(this.at('tape.ndjson'), `${lines.join('\n')}\n`);
  }

  write(...lines: readonly string[]): void {
    this.writeAll(lines);
  }

  /** Opens the tape and plays every frame; returns the messages, time and memory. */
  open(): Promise<Opened> {
    return openHostile(this.folder);
  }
}
