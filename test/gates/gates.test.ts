import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { inRoot } from '../../scripts/lib/root.mjs';
import { callPathLimits, unlimitedCallPaths } from '../../scripts/lib/call-paths.mjs';
import { run } from '../../scripts/lib/run.mjs';
import { judgeSmallTree, copyTree } from './copy-tree.ts';

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

/** The tree of the valid call path: an adapter, its port, a user of the port, and the files that it calls. */
const tree = {
  'electron/adapters/microphone.ts': "import type { Port } from '../ports/sound.ts';\n",
  'electron/ports/sound.ts': 'export type Port = 1;\nexport type Other = 2;\n',
  'electron/sound/capture.ts':
    "import type { Port } from '../ports/sound.ts';\nimport { gain } from './gain.ts';\nimport { uplink } from '../session/uplink.ts';\n",
  'electron/sound/gain.ts': 'export const gain = 1;\n',
  'electron/session/uplink.ts': 'export const uplink = 1;\n',
  // These import the same files for other reasons, or join files that are not on the path.
  'electron/session/stranger.ts': "import type { Other } from '../ports/sound.ts';\n",
  'electron/core/compose.ts':
    "import '../sound/capture.ts';\nimport '../session/far.ts';\nimport '../session/uplink.ts';\n",
  'electron/session/far.ts': 'export const far = 1;\n',
};

const callPath = [
  'electron/adapters/microphone.ts',
  'electron/ports/sound.ts  the port',
  'electron/sound/capture.ts',
  'electron/sound/gain.ts',
  'electron/session/uplink.ts',
];

const allNames = [...callPathLimits.keys(), ...unlimitedCallPaths];

const block = (name: string, files: readonly string[]) =>
  ['```path ' + name, ...files, '```', ''].join('\n');

/** Runs the gate on one call path; all others are the valid one. */
async function check(
  files: readonly string[],
  name = 'microphone to websocket',
  more: Readonly<Record<string, string>> = {},
) {
  const others = allNames.filter((other) => other !== name);
  const page = [block(name, files), ...others.map((other) => block(other, callPath))].join('\n');
  const { passed, output } = await judgeSmallTree('call-paths.mjs', {
    ...tree,
    ...more,
    'docs/architecture.md': `# Call paths\n\n${page}`,
  });
  const messages = output
    .split('\n')
    .filter((line) => !/^[a-z ]+: \d+ files in \d+ folders(?: \(at most .*)?$/.test(line));
  return { passed, messages, length: output.split('\n')[0] };
}

describe('the call-path gate', () => {
  it('prints the length and passes if each file reaches the next', async () => {
    const { passed, messages, length } = await check(callPath);
    expect(messages).toEqual([]);
    expect(passed).toBe(true);
    expect(length).toBe(
      'microphone to websocket: 5 files in 4 folders (at most 10 files in 6 folders)',
    );
  });

  it.each([
    [
      'a missing file',
      [...callPath, 'electron/session/gone.ts'],
      'microphone to websocket: electron/session/gone.ts does not exist.',
    ],
    [
      'a gap',
      callPath.filter((file) => !file.includes('capture')),
      'microphone to websocket: electron/ports/sound.ts does not reach electron/sound/gain.ts.',
    ],
    [
      'two files that import different names from the same file',
      [...callPath.slice(0, 2), 'electron/session/stranger.ts'],
      'microphone to websocket: electron/ports/sound.ts does not reach electron/session/stranger.ts.',
    ],
    [
      'two files that only a third file joins',
      [...callPath, 'electron/session/far.ts'],
      'microphone to websocket: electron/session/uplink.ts does not reach electron/session/far.ts.',
    ],
  ])('rejects %s', async (_what, files, sentence) => {
    const { passed, messages } = await check(files);
    expect(passed).toBe(false);
    expect(messages).toContain(sentence);
  });

  it('accepts other implementations of the same port', async () => {
    const decorated = [
      ...callPath.slice(0, 2),
      'electron/sound/decorator.ts',
      ...callPath.slice(2),
    ];
    const takes = (name: string) => ({
      'electron/sound/decorator.ts': `import type { ${name} } from '../ports/sound.ts';\n`,
    });
    expect((await check(decorated, undefined, takes('Port'))).messages).toEqual([]);
    expect((await check(decorated, undefined, takes('Other'))).messages).toContain(
      'microphone to websocket: electron/ports/sound.ts does not reach electron/sound/decorator.ts.',
    );
  });

  it('accepts an indirect link if both sides import the same type', async () => {
    const page = 'renderer/history/history-actions.ts';
    const preload = 'electron/preload.ts';
    const sides = (name: string) => ({
      'shared/ipc/bridge.ts': 'export type Bridge = 1;\nexport type Other = 2;\n',
      [page]: "import type { Bridge } from '../../shared/ipc/bridge.ts';\n",
      [preload]: `import type { ${name} } from '../shared/ipc/bridge.ts';\n`,
    });
    const messages = async (name: string) =>
      (await check([page, preload], 'notice to screen', sides(name))).messages;
    expect(await messages('Bridge')).toEqual([]);
    expect(await messages('Other')).toEqual([
      `notice to screen: ${page} does not reach ${preload}.`,
    ]);
  });

  it('follows the includes of the addon’s C++ files', async () => {
    const native = 'electron/audio/native';
    const stream = 'electron/platform/portaudio/portaudio-streams.ts';
    const files = {
      [`${native}/microphone.cc`]: '#include "ring.h"\n',
      [`${native}/ring.h`]: '#pragma once\n',
      [`${native}/other.h`]: '#pragma once\n',
      [stream]: 'export const stream = 1;\n',
    };
    const messages = async (header: string) => {
      const lead = [`${native}/${header}.h`, `${native}/microphone.cc`, stream];
      return (await check(lead, 'sound card to microphone stream', files)).messages;
    };
    const name = 'sound card to microphone stream';
    expect(await messages('ring')).toEqual([]);
    expect(await messages('gone')).toEqual([`${name}: ${native}/gone.h does not exist.`]);
    expect(await messages('other')).toEqual([
      `${name}: ${native}/other.h does not reach ${native}/microphone.cc.`,
    ]);
  });

  it('rejects an unknown call path, a missing one, and one over too many folders', async () => {
    expect((await check(callPath, 'somewhere')).messages).toContain(
      'somewhere: scripts/lib/call-paths.mjs does not list this call path.',
    );
    const page = { 'docs/architecture.md': '# None\n' };
    const { output } = await judgeSmallTree('call-paths.mjs', page);
    for (const name of allNames)
      expect(output).toContain(
        `${name}: neither docs/architecture.md nor docs/call-paths.md shows this call path.`,
      );
    const files = Array.from({ length: 9 }, (_, step) => `electron/step-${step}/step.ts`);
    const chain = files.map((file, step): [string, string] => {
      return [file, step === 8 ? '' : `import '../step-${step + 1}/step.ts';\n`];
    });
    const long = await judgeSmallTree('call-paths.mjs', {
      ...Object.fromEntries(chain),
      'docs/architecture.md': block('click to silence', files),
    });
    expect(long.output).not.toContain('does not reach');
    expect(long.output).toMatch(/click to silence: 9 files in 9 folders; the limit is/);
  });
});

const flakyTest = `
import { expect, it } from 'vitest';
let tries = 0;
it('a flaky test passes at the second try', () => {
  expect(++tries).toBe(2);
});
it('a sound test passes at once', () => {
  expect(1).toBe(1);
});
`;

/** The end of `npm run check`. */
const command = `
import { reportTally, runUnitTests } from './scripts/lib/check-source.mjs';
reportTally(await runUnitTests(['run'], { isQuick: true }));
`;

it('npm run check reports a test that passes only when retried as flaky', async () => {
  const tree = await copyTree([
    'package.json',
    'scripts',
    'shared',
    'test/set-up',
    'tsconfig',
    'tsconfig.base.json',
    'tsconfig.json',
    'vitest.config.ts',
  ]);
  onTestFinished(() => rm(tree, { recursive: true, force: true }));
  const planted = join(tree, 'test/unit/planted.test.ts');
  await mkdir(dirname(planted), { recursive: true });
  await writeFile(planted, flakyTest);
  await writeFile(join(tree, 'command.mjs'), command);
  const { code, output } = await run(process.execPath, ['command.mjs'], {
    cwd: tree,
    timeoutMs: 60_000,
  });
  const lines = stripVTControlCharacters(output).trim().split('\n');
  expect(
    lines.filter((line) => line.startsWith('FLAKY')),
    output,
  ).toEqual([
    'FLAKY: test/unit/planted.test.ts: a flaky test passes at the second try: passed only when retried: ' +
      'expected 1 to be 2 // Object.is equality',
  ]);
  expect(lines.at(-1)).toBe('tests: 2 passed (1 of them at the second try), 0 failed, 0 skipped');
  expect(code).toBe(0);
});

const entries = (folder: string) => readdirSync(folder, { withFileTypes: true });
const listFiles = (folder: string): readonly string[] =>
  entries(folder).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
const listFolders = (folder: string): readonly string[] =>
  entries(folder).flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []));

/** A folder and all its subfolders. */
const listAllFolders = (folder: string): readonly string[] => [
  folder,
  ...listFolders(folder).flatMap((subfolder) => listAllFolders(subfolder)),
];

it('electron/ has its four entries and at most fourteen folders', () => {
  expect(listFiles('electron').toSorted()).toEqual([
    'browser.ts',
    'cli.ts',
    'main.ts',
    'preload.ts',
  ]);
  expect(listFolders('electron').length).toBeLessThanOrEqual(14);
});

it('no folder of renderer/ has more than 30 files', () => {
  const crowded = listAllFolders('renderer').filter((folder) => listFiles(folder).length > 30);
  expect(crowded).toEqual([]);
});
