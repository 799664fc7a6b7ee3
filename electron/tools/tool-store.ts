import {
  appError,
  type AppError,
  done,
  failure,
  type Outcome,
} from '../../shared/errors/app-error.ts';
import { SerialQueue } from '../../shared/lifetime.ts';
import type { StateFile } from '../../shared/ports/files.ts';
import { parseJsonObject } from '../../shared/protocol/json.ts';
import {
  maxAlwaysAllowed,
  maxSharedPaths,
  storedTools,
  type StoredTools,
  type ToolServer,
} from '../../shared/tools/stored-tools.ts';
import type { ToolRef } from '../../shared/tools/tools-view.ts';

/**
 * Stores permissions of tools: shared paths, servers with their tools, and tools that the user always allows. They are
 * apart from the settings, because a page may change settings, and permissions widen what a program can do.
 */
export class ToolStore {
  readonly #file: StateFile;
  readonly #onChanged: () => void;
  readonly #onDamaged: (error: AppError) => void;
  readonly #writes = new SerialQueue();
  #stored: StoredTools | undefined;

  constructor(file: StateFile, onChanged: () => void, onDamaged: (error: AppError) => void) {
    this.#file = file;
    this.#onChanged = onChanged;
    this.#onDamaged = onDamaged;
  }

  get sharedPaths(): readonly string[] {
    return this.#read().places;
  }

  get always(): readonly ToolRef[] {
    return this.#read().always;
  }

  get servers(): readonly ToolServer[] {
    return this.#read().servers;
  }

  /**
   * A server's tool stays always allowed only while it is switched on: another server may come with the same name, and a
   * changed tool is switched off.
   */
  readonly setServers = (servers: readonly ToolServer[]): Promise<Outcome<undefined>> =>
    this.#change({
      servers: [...servers],
      always: this.always.filter((ref) => ref.server === '' || isOn(servers, ref)),
    });

  readonly share = async (path: string): Promise<Outcome<undefined>> => {
    const { sharedPaths } = this;
    if (sharedPaths.includes(path)) return done;
    if (sharedPaths.length >= maxSharedPaths)
      return failure('toolPlacesMany', { most: maxSharedPaths });
    return this.#change({ places: [...sharedPaths, path] });
  };

  readonly unshare = (path: string): Promise<Outcome<undefined>> =>
    this.#change({ places: this.sharedPaths.filter((other) => other !== path) });

  isAlwaysAllowed(ref: ToolRef): boolean {
    return this.always.some((other) => isSame(other, ref));
  }

  readonly allowAlways = (ref: ToolRef): Promise<Outcome<undefined>> => {
    const others = this.always.filter((other) => !isSame(other, ref));
    return this.#change({ always: [...others, ref].slice(-maxAlwaysAllowed) });
  };

  readonly askAgain = (ref: ToolRef): Promise<Outcome<undefined>> =>
    this.#change({ always: this.always.filter((other) => !isSame(other, ref)) });

  /** Resolves when everything is written. */
  settled(): Promise<void> {
    return this.#writes.settled();
  }

  #read(): StoredTools {
    const read = this.#load();
    return read.ok ? read.value : storedTools.parse({});
  }

  /**
   * Reads the file, unless an earlier call has. Keeps a damaged file under another name. Without a readable file,
   * nothing is allowed.
   */
  #load(): Outcome<StoredTools> {
    if (this.#stored !== undefined) return { ok: true, value: this.#stored };
    const read = this.#file.read();
    if (!read.ok) return read;
    const parsed = storedTools.safeParse(
      read.value === undefined ? {} : parseJsonObject(read.value),
    );
    this.#stored = parsed.success ? parsed.data : storedTools.parse({});
    if (!parsed.success) this.#setAside();
    return { ok: true, value: this.#stored };
  }

  #setAside(): void {
    const aside = this.#file.setAside();
    this.#onDamaged(
      aside.ok
        ? appError('toolsPutAside', { path: aside.value })
        : appError('toolsUnread', {}, { cause: aside.error }),
    );
  }

  /** Fails if the file cannot be read, because writing would overwrite it. */
  async #change(part: Partial<StoredTools>): Promise<Outcome<undefined>> {
    const before = this.#load();
    if (!before.ok) return before;
    this.#stored = { ...before.value, ...part };
    this.#onChanged();
    const text = `${JSON.stringify({ version: 1, ...this.#stored }, undefined, 1)}\n`;
    return this.#writes.run(() => this.#file.write(text));
  }
}

const isOn = (servers: readonly ToolServer[], { server, tool }: ToolRef): boolean =>
  servers.some(
    ({ name, tools }) => name === server && tools.some((each) => each.name === tool && each.isOn),
  );

const isSame = (one: ToolRef, other: ToolRef): boolean =>
  one.server === other.server && one.tool === other.tool;
