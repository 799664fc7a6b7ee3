import { readFileSync, statSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { displayAddress } from '../../../shared/endpoint.ts';
import { isJsonObject, parseJsonObject } from '../../../shared/protocol/json.ts';
import type { DialectMemory } from '../../ports/dialect-memory.ts';

type Entry = Parameters<DialectMemory['remember']>;

/** The endpoints that a person uses; older ones are found out about again. */
const maxServers = 100;
/** No address that fits into a hundred entries of this file is longer. */
const maxServerLength = 2000;
const maxFileBytes = 256 * 1024;

/**
 * A small JSON file, newest entry last. It only saves time: where it is damaged or cannot be
 * written, nothing is remembered, and nobody hears of it.
 */
export function createDialectFile(folder: string): DialectMemory {
  const path = join(folder, 'dialects.json');
  let writes = 0;
  let last: Promise<void> = Promise.resolve();
  let known: readonly Entry[] | undefined;

  const keep = async (entry: Entry): Promise<void> => {
    // Read again, because another Parley may have written meanwhile.
    const before = readEntries(path);
    const [server, dialect] = entry;
    const newest = before.at(-1);
    if (newest?.[0] === server && newest[1] === dialect) return;
    writes += 1;
    const draft = `${path}.${process.pid}-${writes}`;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(draft, textOf(withEntry(before, entry)), { mode: 0o600, flag: 'wx' });
      await rename(draft, path);
    } catch {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  };

  return {
    recall: (server) => {
      known ??= readEntries(path);
      const key = displayAddress(server);
      return known.find(([name]) => name === key)?.[1];
    },
    remember: (server, dialect) => {
      const entry: Entry = [displayAddress(server), dialect];
      if (entry[0].length > maxServerLength) return;
      known = withEntry(known ?? readEntries(path), entry);
      last = last.then(() => keep(entry));
    },
    settled: () => last,
  };
}

function withEntry(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  return [...entries.filter(([server]) => server !== entry[0]), entry].slice(-maxServers);
}

function textOf(entries: readonly Entry[]): string {
  const dialects = entries.map(([server, dialect]) => ({ server, dialect }));
  return `${JSON.stringify({ version: 1, dialects }, undefined, 2)}\n`;
}

/** At once and not in steps: it is small, and read before a session opens. */
function readEntries(path: string): readonly Entry[] {
  try {
    if (statSync(path).size > maxFileBytes) return [];
    const { dialects } = parseJsonObject(readFileSync(path, 'utf8')) ?? {};
    return Array.isArray(dialects) ? dialects.flatMap(entryOf).slice(-maxServers) : [];
  } catch {
    return [];
  }
}

function entryOf(value: unknown): readonly Entry[] {
  if (!isJsonObject(value)) return [];
  const { server, dialect } = value;
  const known = dialect === 'unified' || dialect === 'legacy';
  return typeof server === 'string' && known ? [[server, dialect]] : [];
}
