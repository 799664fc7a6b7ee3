import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredText, StoredVersion } from '../../ports/talk-store.ts';

/** So many are looked at at once. */
const group = 64;
const maxTextBytes = 16 * 1024 * 1024;

/** A folder of folders, each with a text of the same name. A link stands for none: it may lead anywhere. */
export class TextFolders {
  readonly #path: string;
  readonly #textName: string;
  readonly #isName: (name: string) => boolean;

  constructor(path: string, textName: string, isName: (name: string) => boolean) {
    this.#path = path;
    this.#textName = textName;
    this.#isName = isName;
  }

  async list(): Promise<readonly StoredVersion[]> {
    const names = (await readdir(this.#path).catch(noneYet)).filter(this.#isName);
    const found: StoredVersion[] = [];
    for (let from = 0; from < names.length; from += group) {
      const part = names.slice(from, from + group);
      const versions = await Promise.all(part.map((id) => this.#versionOf(id)));
      for (const [index, version] of versions.entries()) {
        const id = part[index];
        if (id !== undefined && version !== undefined) found.push({ id, version });
      }
    }
    return found;
  }

  async read(id: string): Promise<StoredText> {
    const { bytes, version } = await this.readFile(id, this.#textName, maxTextBytes);
    return { text: bytes.toString('utf8'), version };
  }

  /** Neither through a link nor from a pipe, which would never end. */
  async readFile(id: string, name: string, maxBytes: number) {
    await this.#check(id);
    const path = join(this.#path, id, name);
    const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
    const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const facts = await handle.stat();
      if (!facts.isFile()) throw missing(path);
      if (facts.size > maxBytes) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
      return { bytes: await handle.readFile(), version: versionIn(facts) };
    } finally {
      await handle.close();
    }
  }

  async #check(id: string): Promise<void> {
    const path = join(this.#path, id);
    if (!this.#isName(id) || !(await lstat(path)).isDirectory()) throw missing(path);
  }

  /** Nothing where it has no text, or has gone since it was listed. */
  async #versionOf(id: string): Promise<string | undefined> {
    try {
      const path = join(this.#path, id);
      if (!(await lstat(path)).isDirectory()) return undefined;
      const facts = await lstat(join(path, this.#textName));
      return facts.isFile() ? versionIn(facts) : undefined;
    } catch {
      return undefined;
    }
  }
}

function versionIn({ mtimeMs, size }: { readonly mtimeMs: number; readonly size: number }): string {
  return `${mtimeMs} ${size}`;
}

function missing(path: string): Error {
  return Object.assign(new Error(`there is no ${path}`), { code: 'ENOENT' });
}

function noneYet(error: unknown): readonly string[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}
