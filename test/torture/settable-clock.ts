import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('wall-clock.c', import.meta.url));

const nanosecondsPerMs = 1_000_000n;
/** The file format of wall-clock.c: a count, then shifts with the time from which each applies. */
const [headBytes, shiftBytes, maxShifts] = [16, 16, 4095];
/** Keeps dates within the range that all calendars support. */
const maxOffsetYears = 40;
export const hourMs = 3_600_000;
export const yearMs = 365 * 24 * hourMs;

/** Sets the wall clock of processes with its environment; the monotonic clock is not changed. */
export class SettableClock {
  readonly #folder = mkdtempSync(join(tmpdir(), 'parley-calendar-'));
  readonly #library = join(this.#folder, 'wall-clock.so');
  readonly #path = join(this.#folder, 'shifts');
  readonly #file = openSync(this.#path, 'w', 0o600);
  /** Why the clock cannot be set here. */
  readonly missing: string | undefined;
  #count = 0;
  #offsetMs = 0;

  constructor() {
    ftruncateSync(this.#file, headBytes + maxShifts * shiftBytes);
    this.missing = compile(this.#library);
  }

  /** Offset from the machine's clock. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  get environment(): Readonly<Record<string, string>> {
    if (this.missing !== undefined) return {};
    // Keeps libraries that are already preloaded, such as a sanitizer.
    const { LD_PRELOAD: under } = process.env;
    const preloaded = under === undefined ? [this.#library] : [under, this.#library];
    return { LD_PRELOAD: preloaded.join(' '), WALL_CLOCK_SHIFTS: this.#path };
  }

  /** Moves the clock forward or back from its current setting. */
  setBy(ms: number): void {
    const maxOffsetMs = maxOffsetYears * yearMs;
    this.#set(Math.max(-maxOffsetMs, Math.min(maxOffsetMs, this.#offsetMs + Math.round(ms))));
  }

  setRight(): void {
    this.#set(0);
  }

  end(): void {
    closeSync(this.#file);
    rmSync(this.#folder, { recursive: true });
  }

  /** Writes the entry before the count, because other processes read the file. */
  #set(offsetMs: number): void {
    if (this.#count === maxShifts) return;
    this.#offsetMs = offsetMs;
    const shift = new BigInt64Array([
      BigInt(Date.now()) * nanosecondsPerMs,
      BigInt(offsetMs) * nanosecondsPerMs,
    ]);
    writeSync(this.#file, shift, 0, shiftBytes, headBytes + this.#count * shiftBytes);
    this.#count += 1;
    writeSync(this.#file, new BigInt64Array([BigInt(this.#count)]), 0, 8, 0);
  }
}

function compile(library: string): string | undefined {
  if (process.platform !== 'linux') return 'The test clock needs Linux.';
  try {
    execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, source], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `The test clock could not be compiled: ${error instanceof Error ? error.message.split('\n', 1)[0] : 'no compiler'}.`;
  }
}
