import { readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { SerialQueue } from '../../../shared/lifetime.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import { displayAddress } from '../../../shared/settings/endpoint.ts';
import type {
  LearnedCosts,
  ServerFacts,
  ServerFactsStore,
} from '../../settings/servers/server-facts.ts';
import { writeAtomically } from './atomic-files.ts';

type Entry = ServerFacts & { readonly server: string };

/** The number of servers to remember. Others are probed again. */
const maxServers = 100;
/** The longest address to remember. `maxServers` of them fit into `maxFileBytes`. */
const maxServerLength = 2000;
const maxFileBytes = 512 * 1024;

/** The file calls `otherTokensPerSecond` by the name that it had in Parley's first version. */
interface StoredCosts {
  readonly restPerSecond?: number | undefined;
  readonly pictureScale?: number | undefined;
}

function fromStoredCosts({ restPerSecond, pictureScale }: StoredCosts): LearnedCosts {
  return { otherTokensPerSecond: restPerSecond, pictureScale };
}

function toStoredCosts({ otherTokensPerSecond, pictureScale }: LearnedCosts): StoredCosts {
  return { restPerSecond: otherTokensPerSecond, pictureScale };
}

const milliseconds = z.number().min(0).max(60_000);
const limit = z.int().min(1).max(10_000_000);
const entry = z.object({
  server: z.string().max(maxServerLength),
  dialect: z.enum(['unified', 'legacy']).optional().catch(undefined),
  voiceForm: z.enum(['float32', 'wav']).optional().catch(undefined),
  limits: z
    .object({ audio: limit, video: limit, tokens: limit })
    .partial()
    .optional()
    .catch(undefined),
  memory: z
    .object({
      restPerSecond: z.number().min(0.1).max(1000),
      pictureScale: z.number().min(0.1).max(100),
    })
    .partial()
    .transform(fromStoredCosts)
    .optional()
    .catch(undefined),
  pace: z
    .object({
      stepMs: milliseconds,
      typicalMs: milliseconds,
      spreadMs: milliseconds,
      maxMs: milliseconds,
      steps: z.int().min(0).max(1000).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** Remembers servers in a small JSON file, the newest last. It only saves time, so its errors are not reported. */
export function createServerFactsFile(folder: string): ServerFactsStore {
  const path = join(folder, 'servers.json');
  /** The file of earlier versions, which had only dialects. */
  const formerPath = join(folder, 'dialects.json');
  const writes = new SerialQueue();
  let cached: readonly Entry[] | undefined;

  const read = (): readonly Entry[] =>
    entriesIn(path, 'servers') ?? entriesIn(formerPath, 'dialects') ?? [];

  const store = async (server: string, facts: ServerFacts): Promise<void> => {
    // Reads again, because another Parley may have written meanwhile.
    const before = read();
    const after = withFacts(before, server, facts);
    if (serializeEntries(before) === serializeEntries(after)) return;
    try {
      await writeAtomically(path, serializeEntries(after));
      await rm(formerPath, { force: true });
    } catch {
      // If the file cannot be written, the facts are probed again.
    }
  };

  return {
    recall: (server) => {
      cached ??= read();
      const key = displayAddress(server);
      const { server: _server, ...facts } = cached.find((each) => each.server === key) ?? {
        server: key,
      };
      return facts;
    },
    remember: (server, facts) => {
      const key = displayAddress(server);
      if (key.length > maxServerLength) return;
      cached = withFacts(cached ?? read(), key, facts);
      void writes.run(() => store(key, facts));
    },
    settled: () => writes.settled(),
  };
}

function withFacts(
  entries: readonly Entry[],
  server: string,
  facts: ServerFacts,
): readonly Entry[] {
  const before = entries.find((each) => each.server === server);
  const others = entries.filter((each) => each.server !== server);
  return [...others, { ...before, server, ...facts }].slice(-maxServers);
}

function serializeEntries(entries: readonly Entry[]): string {
  const servers = entries.map(({ costs, ...facts }) => ({
    ...facts,
    memory: costs && toStoredCosts(costs),
  }));
  return `${JSON.stringify({ version: 2, servers }, undefined, 2)}\n`;
}

/** Reads the entries, synchronously because a session needs them before it opens. Undefined without a file, empty if it is damaged or too large. */
function entriesIn(path: string, list: string): readonly Entry[] | undefined {
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) return undefined;
    if (size > maxFileBytes) return [];
    const entries = (parseJsonObject(readFileSync(path, 'utf8')) ?? {})[list];
    return Array.isArray(entries) ? entries.flatMap(readEntry).slice(-maxServers) : [];
  } catch {
    return [];
  }
}

function readEntry(value: unknown): readonly Entry[] {
  const read = entry.safeParse(value);
  if (!read.success) return [];
  const { memory: costs, ...facts } = read.data;
  return [{ ...facts, ...(costs !== undefined && { costs }) }];
}
