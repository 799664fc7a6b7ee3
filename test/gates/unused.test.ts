import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inRoot } from '../../scripts/lib/root.mjs';
import { judgeSmallTree } from './copy-tree.ts';

const asInTree = (file: string) => ({ [file]: readFileSync(inRoot(file), 'utf8') });
const configs = { ...asInTree('tsconfig.base.json'), ...asInTree('tsconfig/product.json') };

/** Members that are read in every possible way, and others that are not read. */
const members = {
  'shared/facts.ts': `
export interface Facts {
  readonly named: number;
  readonly quoted: number;
  readonly takenOut: number;
  readonly renamed: number;
  readonly onlyWritten: number;
  readonly onlyTested: number;
}
export type Either = { readonly kind: 'a'; readonly ofA: number } | { readonly kind: 'b'; readonly forNobody: number };
export interface Port { readonly play: () => void; readonly neverPlayed: () => void }
export interface Wide { readonly first: number; readonly second: number }
export interface Narrow { readonly first: number }
export interface Sent { readonly inJson: { readonly deepInJson: number } }
export interface Rest { readonly one: number; readonly left: number }
export interface Kinds { readonly x: number; readonly y: number }
`,
  'electron/use.ts': `
import type { Either, Facts, Kinds, Narrow, Port, Rest, Sent, Wide } from '../shared/facts.ts';
export function use(facts: Facts, either: Either, port: Port, wide: Wide, sent: Sent, rest: Rest, kinds: Kinds, kind: keyof Kinds) {
  const { takenOut, renamed: mine } = facts;
  const { one, ...others } = rest;
  const held = { onlyWritten: 0 };
  held.onlyWritten = 1;
  port.play();
  const sum = (each: Narrow) => each.first;
  if (either.kind === 'a') return either.ofA;
  return [facts.named, facts['quoted'], takenOut, mine, sum(wide), JSON.stringify(sent), one, others, kinds[kind]];
}
export class Player implements Port {
  constructor(readonly unasked: number) {}
  readonly play = () => undefined;
  readonly neverPlayed = () => undefined;
  get alone() { return this.inside; }
  readonly inside = 1;
}
`,
  'test/use.test.ts': `
import type { Facts } from '../shared/facts.ts';
export const tested = (facts: Facts) => facts.onlyTested;
`,
};

/** A contract and both sides of it. */
const contract = {
  'shared/ipc/talk-ipc.ts': `
export const talkRequests = {
  asked: 1,
  unasked: 2,
};
export interface TalkNotices {
  readonly heardInTable: number;
  readonly heardByName: number;
  readonly unheard: number;
  readonly unposted: number;
}
export type NoticeName = keyof TalkNotices;
`,
  'electron/notices.ts': `
export const tell = (post: (name: string) => void) => {
  post('heardInTable');
  post('heardByName');
  post('unheard');
};
`,
  'renderer/hear.ts': `
import type { NoticeName } from '../shared/ipc/talk-ipc.ts';
const noChange = () => undefined;
export const table: { readonly [Name in NoticeName]: () => void } = {
  heardInTable: () => undefined,
  heardByName: noChange,
  unheard: noChange,
  unposted: () => undefined,
};
export const hear = (name: NoticeName, request: (name: string) => void) => {
  if (name === 'heardByName') request('asked');
};
`,
};

describe('an unread member', () => {
  it('is reported with its place', async () => {
    const { passed, output } = await judgeSmallTree('unused-members.mjs', {
      ...configs,
      ...members,
      ...contract,
    });
    expect(passed).toBe(false);
    // The small tree lacks the real tree's exceptions, so their messages are ignored.
    expect(
      output.split('\n').filter((line) => !line.includes('scripts/unused-members.mjs:')),
    ).toEqual([
      'shared/facts.ts:7: no shipped code reads "Facts.onlyWritten".',
      'shared/facts.ts:8: no shipped code reads "Facts.onlyTested".',
      'shared/facts.ts:10: no shipped code reads "Either.forNobody".',
      'shared/facts.ts:11: no shipped code reads "Port.neverPlayed".',
      'shared/facts.ts:12: no shipped code reads "Wide.second".',
      'electron/use.ts:14: no shipped code reads "Player.unasked".',
      'electron/use.ts:16: no shipped code reads "Player.neverPlayed".',
      'electron/use.ts:17: no shipped code reads "Player.alone".',
      'shared/ipc/talk-ipc.ts:4: no page sends the request "unasked".',
      'shared/ipc/talk-ipc.ts:9: no page handles the notice "unheard".',
      'shared/ipc/talk-ipc.ts:10: no code posts the notice "unposted".',
      'Connect what users need, and delete the rest with its tests.',
    ]);
  });
});

describe('an export that only tests use', () => {
  const used = "import { used } from './a.ts';\nexport const user = used;\n";

  it('is reported', async () => {
    const { passed, output } = await judgeSmallTree('test-only-exports.mjs', {
      'shared/a.ts': '// planted\nexport const used = 1;\nexport const planted = 1;\n',
      'shared/b.ts': used,
      'test/a.test.ts': "import { planted, used } from '../shared/a.ts';\n",
    });
    expect(passed).toBe(false);
    expect(output).toBe(
      'shared/a.ts:3: only tests use "planted". Connect it, or delete it with its tests.',
    );
  });

  it.each([
    ['its own file uses it', 'export const planted = 1;\nexport const used = planted;\n', used],
    ['a dynamic import may use it', 'export const planted = 1;\n', "const a = import('./a.ts');\n"],
    ['it is re-exported', 'export const planted = 1;\n', "export * from './a.ts';\n"],
  ])('is allowed if %s', async (_where, text, other) => {
    const { output } = await judgeSmallTree('test-only-exports.mjs', {
      'shared/a.ts': text,
      'shared/b.ts': other,
      'test/a.test.ts': "import { planted } from '../shared/a.ts';\n",
    });
    expect(output).toBe('');
  });
});
