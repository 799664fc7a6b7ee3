import { getHeapSnapshot } from 'node:v8';

interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly (readonly string[] | string)[];
    };
  };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
}

/** Counts by kind and name: `object Session`, `closure listen`. */
export type Counts = Readonly<Record<string, number>>;

interface CountedHeap {
  readonly counts: Counts;
  /** Without code, because V8 keeps compiling hot functions for an hour. */
  readonly dataBytes: number;
}

/** Node types for instances (by class) and functions (by name). */
const counted = new Set(['object', 'closure']);
const code = new Set(['code', 'hidden', 'object shape', 'synthetic']);
/** Plain values grow with stored data. A leak also shows as instances of a named class or function. */
const values = new Set([
  'object Object',
  'object Array',
  'object system / Context',
  'object ',
  'closure ',
]);

/** Counts live objects of this process; V8 collects garbage before a snapshot. */
export async function countHeap(): Promise<Counts> {
  const pieces: Buffer[] = [];
  for await (const piece of getHeapSnapshot()) pieces.push(piece as Buffer);
  return countSnapshot(Buffer.concat(pieces).toString()).counts;
}

/** Counts the objects in a V8 heap snapshot of any process. */
export function countSnapshot(text: string): CountedHeap {
  const { snapshot, nodes, strings } = JSON.parse(text) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, name, size] = ['type', 'name', 'self_size'].map((field) => fields.indexOf(field));
  if (type === undefined || name === undefined || size === undefined)
    throw new Error('This is not a heap snapshot.');
  const kinds = types[type] ?? [];
  const counts = new Map<string, number>();
  let dataBytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = kinds[nodes[at + type] ?? -1] ?? '';
    if (!code.has(kind)) dataBytes += nodes[at + size] ?? 0;
    if (!counted.has(kind)) continue;
    const key = `${kind} ${strings[nodes[at + name] ?? -1] ?? ''}`;
    if (!values.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return { counts: Object.fromEntries(counts), dataBytes };
}

/** The counts after a number of rounds. */
export interface Mark {
  readonly rounds: number;
  readonly counts: Counts;
}

/** Suspected growth must continue in each of this many further rounds. */
export const moreRounds = 4;

/**
 * Lists names that grow by at least one per round between all marks. One-time objects and objects that are sometimes
 * freed do not count.
 */
export function growingNames(marks: readonly Mark[]): readonly string[] {
  const names = new Set(marks.flatMap(({ counts }) => Object.keys(counts)));
  return [...names]
    .filter((name) =>
      marks.slice(1).every(({ rounds, counts }, before) => {
        const earlier = marks[before];
        if (earlier === undefined) return false;
        return (counts[name] ?? 0) - (earlier.counts[name] ?? 0) >= rounds - earlier.rounds;
      }),
    )
    .toSorted((one, other) => one.localeCompare(other));
}

/** The counts of a growing name, for the failure message. */
export function describeGrowth(marks: readonly Mark[], name: string): string {
  return `${name}: ${marks.map(({ counts }) => counts[name] ?? 0).join(', ')}`;
}
