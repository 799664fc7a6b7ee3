import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';

interface StoredFile {
  bytes: Uint8Array;
  length: number;
  /** How many bytes survive a power cut; all of a file that is written whole. */
  durable: number;
  changedAt: number;
}

interface Pending {
  readonly happen: () => void;
  readonly fail: () => void;
}

/** The system flushes written data this often. */
const syncEveryMs = 5000;
const maxDelayMs = 30;

/** A slow disk that is full at times. A power cut loses a part of what was not yet flushed. */
export class SimulatedDisk {
  readonly #deps: { readonly clock: Clock; readonly random: Random };
  readonly #files = new Map<string, StoredFile>();
  readonly #folders = new Set<string>();
  #fullUntil = -Infinity;
  #syncedAt = 0;

  constructor(deps: { readonly clock: Clock; readonly random: Random }) {
    this.#deps = deps;
  }

  get full(): boolean {
    return this.#deps.clock.now() < this.#fullUntil;
  }

  fillFor(ms: number): void {
    this.#fullUntil = Math.max(this.#fullUntil, this.#deps.clock.now() + ms);
  }

  /** Cuts unflushed data at a random length. */
  powerCut(): void {
    const { random } = this.#deps;
    for (const file of this.#files.values()) {
      const rest = file.length - file.durable;
      file.length = file.durable + Math.floor(random() * (rest + 1));
      file.durable = file.length;
    }
  }

  paths(below = ''): readonly string[] {
    return [...this.#files.keys()].filter((path) => path.startsWith(below));
  }

  folders(below = ''): readonly string[] {
    return [...this.#folders].filter((path) => path.startsWith(below));
  }

  files(): ReadonlyMap<string, Uint8Array> {
    const whole = ({ bytes, length }: StoredFile): Uint8Array => bytes.slice(0, length);
    return new Map([...this.#files].map(([path, file]) => [path, whole(file)]));
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  hasFolder(path: string): boolean {
    return this.#folders.has(path);
  }

  makeFolder(path: string): void {
    this.#folders.add(path);
  }

  read(path: string): Uint8Array | undefined {
    const file = this.#files.get(path);
    return file?.bytes.subarray(0, file.length);
  }

  text(path: string): string | undefined {
    const bytes = this.read(path);
    return bytes && new TextDecoder().decode(bytes);
  }

  changedAt(path: string): number {
    return this.#files.get(path)?.changedAt ?? 0;
  }

  /** Writes a file whole and flushes it at once. */
  put(path: string, content: Uint8Array | string): boolean {
    if (this.full) return false;
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content.slice();
    const { length } = bytes;
    this.#files.set(path, { bytes, length, durable: length, changedAt: this.#deps.clock.now() });
    return true;
  }

  create(path: string): void {
    const changedAt = this.#deps.clock.now();
    this.#files.set(path, { bytes: new Uint8Array(1024), length: 0, durable: 0, changedAt });
  }

  /** Returns whether there was space. */
  writeAt(path: string, offset: number, bytes: Uint8Array): boolean {
    this.#sync();
    const file = this.#files.get(path);
    // The system accepts writes to a deleted file and loses them.
    if (file === undefined) return true;
    const end = offset + bytes.length;
    if (this.full && end > file.length) return false;
    if (end > file.bytes.length) {
      const grown = new Uint8Array(2 * end);
      grown.set(file.bytes.subarray(0, file.length));
      file.bytes = grown;
    }
    if (offset > file.length) file.bytes.fill(0, file.length, offset);
    file.bytes.set(bytes, offset);
    file.length = Math.max(file.length, end);
    file.changedAt = this.#deps.clock.now();
    return true;
  }

  remove(path: string): void {
    this.#files.delete(path);
    this.#folders.delete(path);
    for (const inside of this.paths(`${path}/`)) this.#files.delete(inside);
    for (const inside of this.folders(`${path}/`)) this.#folders.delete(inside);
  }

  move(from: string, to: string): void {
    const named = (path: string): string => `${to}${path.slice(from.length)}`;
    const isMoved = (path: string): boolean => path === from || path.startsWith(`${from}/`);
    for (const path of this.paths().filter(isMoved)) {
      const file = this.#files.get(path);
      this.#files.delete(path);
      if (file !== undefined) this.#files.set(named(path), file);
    }
    for (const path of this.folders().filter(isMoved)) {
      this.#folders.delete(path);
      this.#folders.add(named(path));
    }
  }

  #sync(): void {
    const now = this.#deps.clock.now();
    if (now - this.#syncedAt < syncEveryMs) return;
    this.#syncedAt = now;
    for (const file of this.#files.values()) file.durable = file.length;
  }
}

/** One process's access to the disk. After a kill, a pending operation may or may not have happened. */
export class DiskAccess {
  readonly disk: SimulatedDisk;
  readonly #deps: { readonly clock: Clock; readonly random: Random };
  readonly #pending = new Set<Pending>();
  #killed = false;

  constructor(disk: SimulatedDisk, deps: { readonly clock: Clock; readonly random: Random }) {
    this.disk = disk;
    this.#deps = deps;
  }

  get killed(): boolean {
    return this.#killed;
  }

  later<Value>(path: string, work: () => Outcome<Value>): Promise<Outcome<Value>> {
    const { clock, random } = this.#deps;
    const lost = failure('diskFull', { path });
    if (this.#killed) return Promise.resolve(lost);
    return new Promise((resolve) => {
      const pending: Pending = {
        happen: () => {
          this.#pending.delete(pending);
          resolve(work());
        },
        fail: () => {
          if (random() < 0.5) work();
          resolve(lost);
        },
      };
      this.#pending.add(pending);
      clock.after(maxDelayMs * random(), () => {
        if (this.#pending.has(pending)) pending.happen();
      });
    });
  }

  kill(): void {
    this.#killed = true;
    for (const pending of this.#pending) pending.fail();
    this.#pending.clear();
  }
}
