import { failure, type Failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { Files } from '../../shared/ports/files.ts';

/** Files in memory. `put` adds one, `bytes` reads one, `fill` limits the disk. */
export class FakeFiles implements Files {
  readonly #files = new Map<string, Uint8Array>();
  readonly #folders = new Set<string>();
  /** Distinguishes a folder from an earlier one with the same path, which was removed. */
  readonly #folderNumbers = new Map<string, number>();
  #madeFolders = 0;
  #room = Number.POSITIVE_INFINITY;

  put(path: string, content: Uint8Array | string): void {
    this.#files.set(
      path,
      typeof content === 'string' ? new TextEncoder().encode(content) : content,
    );
  }

  putFolder(path: string): void {
    this.#folders.add(path);
    this.#madeFolders += 1;
    this.#folderNumbers.set(path, this.#madeFolders);
  }

  /** Removes a folder and its files, even while a writer is open there. */
  removeFolder(path: string): void {
    this.#folders.delete(path);
    for (const name of this.names()) if (name.startsWith(`${path}/`)) this.#files.delete(name);
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  /** Limits how many more bytes can be written. */
  fill(room: number): void {
    this.#room = room;
  }

  names(): readonly string[] {
    return [...this.#files.keys()].toSorted();
  }

  bytes(path: string): Uint8Array {
    return this.#files.get(path) ?? new Uint8Array();
  }

  text(path: string): string {
    return new TextDecoder().decode(this.bytes(path));
  }

  readonly read: Files['read'] = (path, maxBytes) => Promise.resolve(this.#read(path, maxBytes));

  readonly readText: Files['readText'] = (path, maxBytes) => {
    const bytes = this.#read(path, maxBytes);
    if (!bytes.ok) return Promise.resolve(bytes);
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.value);
      return Promise.resolve({ ok: true, value: text });
    } catch {
      return Promise.resolve(failure('notText', { path }));
    }
  };

  readonly openToRead: Files['openToRead'] = (path) => {
    const opened = this.#read(path, Number.POSITIVE_INFINITY);
    if (!opened.ok) return opened;
    const bytes = opened.value;
    const readNow = (offset: number, length: number) =>
      ({ ok: true, value: bytes.slice(offset, offset + length) }) as const;
    return {
      ok: true,
      value: {
        size: bytes.length,
        readNow,
        read: (offset, length) => Promise.resolve(readNow(offset, length)),
        close: () => undefined,
      },
    };
  };

  readonly create: Files['create'] = (path, onError) => {
    if (this.#folders.has(path)) {
      return Promise.resolve(failure('isFolder', { path }));
    }
    const folder = path.slice(0, path.lastIndexOf('/'));
    if (!this.#folders.has(folder)) {
      return Promise.resolve(failure('fileGone', { path: folder }));
    }
    this.put(path, '');
    const folderNumber = this.#folderNumbers.get(folder);
    let failed: Failure | undefined;
    let open = true;
    let end = 0;
    let unwritten: (readonly [number, Uint8Array])[] = [];
    const exists = (): boolean =>
      this.#files.has(path) && this.#folderNumbers.get(folder) === folderNumber;
    const write = (offset: number, bytes: Uint8Array) => {
      if (!open) return;
      if (failed !== undefined) {
        unwritten.push([offset, bytes]);
        return;
      }
      // Like a real disk: writes to a deleted file succeed and are lost.
      if (!exists()) return;
      const before = this.bytes(path);
      const after = new Uint8Array(Math.max(before.length, offset + bytes.length));
      this.#room -= after.length - before.length;
      if (this.#room < 0) {
        failed = failure('diskFull', { path });
        unwritten.push([offset, bytes]);
        this.#room += after.length - before.length;
        onError?.(failed.error);
        return;
      }
      after.set(before);
      after.set(bytes, offset);
      this.#files.set(path, after);
    };
    return Promise.resolve({
      ok: true,
      value: {
        append: (bytes) => {
          const encoded = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
          write(end, encoded.slice());
          end += encoded.length;
        },
        writeAt: write,
        exists,
        resume: () => {
          if (!open) return Promise.resolve(failed ?? { ok: true, value: undefined });
          const pending = unwritten;
          unwritten = [];
          failed = undefined;
          for (const [offset, bytes] of pending) write(offset, bytes);
          return Promise.resolve(failed ?? { ok: true, value: undefined });
        },
        close: () => {
          open = false;
          return Promise.resolve(failed ?? { ok: true, value: undefined });
        },
        discard: () => {
          open = false;
          this.remove(path);
          return Promise.resolve({ ok: true, value: undefined });
        },
      },
    });
  };

  readonly createFolder: Files['createFolder'] = (path) => {
    if (this.#files.has(path)) {
      return Promise.resolve(failure('notFolder', { path }));
    }
    const inside = [...this.#files.keys(), ...this.#folders];
    if (inside.some((other) => other.startsWith(`${path}/`))) {
      return Promise.resolve(failure('folderNotEmpty', { path }));
    }
    this.putFolder(path);
    return Promise.resolve({ ok: true, value: undefined });
  };

  readonly freeSpace: Files['freeSpace'] = () => Promise.resolve({ ok: true, value: this.#room });

  #read(path: string, maxBytes: number): Outcome<Uint8Array> {
    if (this.#folders.has(path)) {
      return failure('isFolder', { path });
    }
    const bytes = this.#files.get(path);
    if (bytes === undefined) return failure('fileGone', { path });
    return bytes.length > maxBytes
      ? failure('fileOverLimit', { path, limit: formatSize(maxBytes) })
      : { ok: true, value: bytes.slice() };
  }
}

function formatSize(bytes: number): string {
  return bytes >= 1_000_000
    ? `${Math.floor(bytes / 1_000_000)} MB`
    : `${Math.floor(bytes / 1000)} kB`;
}
