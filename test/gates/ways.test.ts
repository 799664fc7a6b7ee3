import { dirname, relative } from 'node:path/posix';
import { describe, expect, it } from 'vitest';
import { unlimitedWays, wayLimits } from '../../scripts/lib/ways.mjs';
import { judgeSmallTree } from './small-tree.ts';

/** The tree of the planted way: an adapter, its port, a user of the port, and the files that it calls. */
const tree = {
  'electron/adapters/microphone.ts': "import type { Port } from '../ports/sound.ts';\n",
  'electron/ports/sound.ts': 'export type Port = 1;\nexport type Other = 2;\n',
  'electron/sound/capture.ts':
    "import type { Port } from '../ports/sound.ts';\nimport { gain } from './gain.ts';\nimport { uplink } from '../session/uplink.ts';\n",
  'electron/sound/gain.ts': 'export const gain = 1;\n',
  'electron/session/uplink.ts': 'export const uplink = 1;\n',
  // These import the same files for other reasons, or join files that are not on the way.
  'electron/session/stranger.ts': "import type { Other } from '../ports/sound.ts';\n",
  'electron/core/compose.ts':
    "import '../sound/capture.ts';\nimport '../session/far.ts';\nimport '../session/uplink.ts';\n",
  'electron/session/far.ts': 'export const far = 1;\n',
};

const way = [
  'electron/adapters/microphone.ts',
  'electron/ports/sound.ts  the port',
  'electron/sound/capture.ts',
  'electron/sound/gain.ts',
  'electron/session/uplink.ts',
];

const allNames = [...wayLimits.keys(), ...unlimitedWays];

const block = (name: string, files: readonly string[]) =>
  ['```way ' + name, ...files, '```', ''].join('\n');

/** Judges one way; all others are the valid one. */
async function judge(
  files: readonly string[],
  name = 'microphone to websocket',
  more: Readonly<Record<string, string>> = {},
) {
  const others = allNames.filter((other) => other !== name);
  const page = [block(name, files), ...others.map((other) => block(other, way))].join('\n');
  const { passed, output } = await judgeSmallTree('ways.mjs', {
    ...tree,
    ...more,
    'docs/architecture.md': `# Ways\n\n${page}`,
  });
  const messages = output
    .split('\n')
    .filter((line) => !/^[a-z ]+: \d+ files in \d+ folders(?: \(at most .*)?$/.test(line));
  return { passed, messages, length: output.split('\n')[0] };
}

describe('the ways that the architecture shows', () => {
  it('are measured, and pass if each file reaches the next', async () => {
    const { passed, messages, length } = await judge(way);
    expect(messages).toEqual([]);
    expect(passed).toBe(true);
    expect(length).toBe('microphone to websocket: 5 files in 4 folders (at most 10 in 6)');
  });

  it.each([
    [
      'a missing file',
      [...way, 'electron/session/gone.ts'],
      'microphone to websocket: electron/session/gone.ts does not exist.',
    ],
    [
      'a gap',
      way.filter((file) => !file.includes('capture')),
      'microphone to websocket: electron/ports/sound.ts does not reach electron/sound/gain.ts.',
    ],
    [
      'two files that import different names from the same file',
      [...way.slice(0, 2), 'electron/session/stranger.ts'],
      'microphone to websocket: electron/ports/sound.ts does not reach electron/session/stranger.ts.',
    ],
    [
      'two files that only a third file joins',
      [...way, 'electron/session/far.ts'],
      'microphone to websocket: electron/session/uplink.ts does not reach electron/session/far.ts.',
    ],
    [
      'a file twice',
      [...way, 'electron/sound/gain.ts'],
      'microphone to websocket: electron/sound/gain.ts occurs twice.',
    ],
  ])('must not have %s', async (_what, files, sentence) => {
    const { passed, messages } = await judge(files);
    expect(passed).toBe(false);
    expect(messages).toContain(sentence);
  });

  it.each([
    ['too long', 'electron/sound/step-%.ts', 15, 'microphone to websocket: 15 files in 1 folders'],
    [
      'over too many folders',
      'electron/step-%/step.ts',
      9,
      'click to silence: 9 files in 9 folders',
    ],
  ])('must not be %s', async (_how, file, count, length) => {
    const files = Array.from({ length: count }, (_, step) => file.replace('%', String(step)));
    const chain = files.map((each, step): [string, string] => {
      const next = files[step + 1];
      return [each, next === undefined ? '' : `import '${relative(dirname(each), next)}';\n`];
    });
    // An import from the same folder also begins with a dot.
    const dotted = chain.map(([each, text]) => [each, text.replace(/'(?=\w)/, "'./")] as const);
    const { passed, output } = await judgeSmallTree('ways.mjs', {
      ...Object.fromEntries(dotted),
      'docs/architecture.md': allNames.map((name) => block(name, files)).join('\n'),
    });
    expect(passed).toBe(false);
    expect(output).not.toContain('does not reach');
    expect(output).toContain(`${length} (at most `);
    expect(output.match(/more than the limit of \d+ in \d+/g)).toHaveLength(5);
  });

  it('may pass through other implementations of the same port', async () => {
    const decorated = [...way.slice(0, 2), 'electron/sound/decorator.ts', ...way.slice(2)];
    const takes = (name: string) => ({
      'electron/sound/decorator.ts': `import type { ${name} } from '../ports/sound.ts';\n`,
    });
    expect((await judge(decorated, undefined, takes('Port'))).messages).toEqual([]);
    expect((await judge(decorated, undefined, takes('Other'))).messages).toContain(
      'microphone to websocket: electron/ports/sound.ts does not reach electron/sound/decorator.ts.',
    );
  });

  it('may cross a joint if both sides import the same type', async () => {
    const page = 'renderer/history/history-actions.ts';
    const preload = 'electron/preload.ts';
    const sides = (name: string) => ({
      'shared/ipc/bridge.ts': 'export type Bridge = 1;\nexport type Other = 2;\n',
      [page]: "import type { Bridge } from '../../shared/ipc/bridge.ts';\n",
      [preload]: `import type { ${name} } from '../shared/ipc/bridge.ts';\n`,
    });
    const messages = async (name: string) =>
      (await judge([page, preload], 'notice to screen', sides(name))).messages;
    expect(await messages('Bridge')).toEqual([]);
    expect(await messages('Other')).toEqual([
      `notice to screen: ${page} does not reach ${preload}.`,
    ]);
  });

  it('may lead through the addon’s C++ files and their includes', async () => {
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
      return (await judge(lead, 'sound card to microphone stream', files)).messages;
    };
    const name = 'sound card to microphone stream';
    expect(await messages('ring')).toEqual([]);
    expect(await messages('gone')).toEqual([`${name}: ${native}/gone.h does not exist.`]);
    expect(await messages('other')).toEqual([
      `${name}: ${native}/other.h does not reach ${native}/microphone.cc.`,
    ]);
  });

  it('must be exactly the known ones', async () => {
    const { passed, messages } = await judge(way, 'somewhere');
    expect(passed).toBe(false);
    expect(messages).toContain('somewhere: scripts/lib/ways.mjs has no limit for this way.');
    const { output } = await judgeSmallTree('ways.mjs', { 'docs/architecture.md': '# None\n' });
    for (const name of allNames) {
      expect(output).toContain(`${name}: docs/architecture.md does not show this way.`);
    }
  });
});
