import { dirname, relative } from 'node:path/posix';
import { describe, expect, it } from 'vitest';
import { unlimitedWays, wayLimits } from '../../scripts/lib/ways.mjs';
import { judgeSmallTree } from './small-tree.ts';

/** Where the planted way leads, and how: an adapter, its port, one that asks it, and what that calls. */
const house = {
  'electron/adapters/microphone.ts': "import type { Port } from '../ports/sound.ts';\n",
  'electron/ports/sound.ts': 'export type Port = 1;\nexport type Other = 2;\n',
  'electron/sound/capture.ts':
    "import type { Port } from '../ports/sound.ts';\nimport { gain } from './gain.ts';\nimport { uplink } from '../session/uplink.ts';\n",
  'electron/sound/gain.ts': 'export const gain = 1;\n',
  'electron/session/uplink.ts': 'export const uplink = 1;\n',
  // They only meet others by chance, or join what is beside the way.
  'electron/session/stranger.ts': "import type { Other } from '../ports/sound.ts';\n",
  'electron/core/compose.ts':
    "import '../sound/capture.ts';\nimport '../session/far.ts';\nimport '../session/uplink.ts';\n",
  'electron/session/far.ts': 'export const far = 1;\n',
};

const way = [
  'electron/adapters/microphone.ts',
  'electron/ports/sound.ts  what it is asked by',
  'electron/sound/capture.ts',
  'electron/sound/gain.ts',
  'electron/session/uplink.ts',
];

const allNames = [...wayLimits.keys(), ...unlimitedWays];

const block = (name: string, files: readonly string[]) =>
  ['```way ' + name, ...files, '```', ''].join('\n');

/** All ways but that of the test stay as they are. */
async function judge(
  files: readonly string[],
  name = 'microphone to websocket',
  more: Readonly<Record<string, string>> = {},
) {
  const others = allNames.filter((other) => other !== name);
  const page = [block(name, files), ...others.map((other) => block(other, way))].join('\n');
  const { passed, output } = await judgeSmallTree('ways.mjs', {
    ...house,
    ...more,
    'docs/architecture.md': `# Ways\n\n${page}`,
  });
  const told = output
    .split('\n')
    .filter((line) => !/^[a-z ]+: \d+ files in \d+ folders(?: \(at most .*)?$/.test(line));
  return { passed, told, figures: output.split('\n')[0] };
}

describe('the ways that the architecture shows', () => {
  it('are counted, and good where each file reaches the next', async () => {
    const { passed, told, figures } = await judge(way);
    expect(told).toEqual([]);
    expect(passed).toBe(true);
    expect(figures).toBe('microphone to websocket: 5 files in 4 folders (at most 10 in 6)');
  });

  it.each([
    [
      'a file that is not there',
      [...way, 'electron/session/gone.ts'],
      'microphone to websocket: there is no electron/session/gone.ts.',
    ],
    [
      'a file left out',
      way.filter((file) => !file.includes('capture')),
      'microphone to websocket: electron/ports/sound.ts does not reach electron/sound/gain.ts.',
    ],
    [
      'two files that only know the same file, and not for the same',
      [...way.slice(0, 2), 'electron/session/stranger.ts'],
      'microphone to websocket: electron/ports/sound.ts does not reach electron/session/stranger.ts.',
    ],
    [
      'two files that only a third one joins',
      [...way, 'electron/session/far.ts'],
      'microphone to websocket: electron/session/uplink.ts does not reach electron/session/far.ts.',
    ],
    [
      'a file that stands there twice',
      [...way, 'electron/sound/gain.ts'],
      'microphone to websocket: electron/sound/gain.ts stands there twice.',
    ],
  ])('may not have %s', async (_what, files, sentence) => {
    const { passed, told } = await judge(files);
    expect(passed).toBe(false);
    expect(told).toContain(sentence);
  });

  it.each([
    ['too long', 'electron/sound/step-%.ts', 15, 'microphone to websocket: 15 files in 1 folders'],
    [
      'over too many folders',
      'electron/step-%/step.ts',
      9,
      'click to silence: 9 files in 9 folders',
    ],
  ])('may not be %s', async (_how, file, count, length) => {
    const files = Array.from({ length: count }, (_, step) => file.replace('%', String(step)));
    const chain = files.map((each, step): [string, string] => {
      const next = files[step + 1];
      return [each, next === undefined ? '' : `import '${relative(dirname(each), next)}';\n`];
    });
    // The imports of a file in its own folder begin with a dot, too.
    const dotted = chain.map(([each, text]) => [each, text.replace(/'(?=\w)/, "'./")] as const);
    const { passed, output } = await judgeSmallTree('ways.mjs', {
      ...Object.fromEntries(dotted),
      'docs/architecture.md': allNames.map((name) => block(name, files)).join('\n'),
    });
    expect(passed).toBe(false);
    expect(output).not.toContain('does not reach');
    expect(output).toContain(`${length} (at most `);
    expect(output.match(/where \d+ in \d+ are the most/g)).toHaveLength(5);
  });

  it('may go on over others that are the same port', async () => {
    const decorated = [...way.slice(0, 2), 'electron/sound/decorator.ts', ...way.slice(2)];
    const takes = (name: string) => ({
      'electron/sound/decorator.ts': `import type { ${name} } from '../ports/sound.ts';\n`,
    });
    expect((await judge(decorated, undefined, takes('Port'))).told).toEqual([]);
    expect((await judge(decorated, undefined, takes('Other'))).told).toContain(
      'microphone to websocket: electron/ports/sound.ts does not reach electron/sound/decorator.ts.',
    );
  });

  it('go on over a joint as long as both sides are of one type', async () => {
    const page = 'renderer/history/history-actions.ts';
    const preload = 'electron/preload.ts';
    const sides = (name: string) => ({
      'shared/ipc/bridge.ts': 'export type Bridge = 1;\nexport type Other = 2;\n',
      [page]: "import type { Bridge } from '../../shared/ipc/bridge.ts';\n",
      [preload]: `import type { ${name} } from '../shared/ipc/bridge.ts';\n`,
    });
    const told = async (name: string) =>
      (await judge([page, preload], 'notice to screen', sides(name))).told;
    expect(await told('Bridge')).toEqual([]);
    expect(await told('Other')).toEqual([`notice to screen: ${page} does not reach ${preload}.`]);
  });

  it('lead into the addon, whose files are there and include each other', async () => {
    const native = 'electron/audio/native';
    const stream = 'electron/platform/portaudio/portaudio-streams.ts';
    const files = {
      [`${native}/microphone.cc`]: '#include "ring.h"\n',
      [`${native}/ring.h`]: '#pragma once\n',
      [`${native}/other.h`]: '#pragma once\n',
      [stream]: 'export const stream = 1;\n',
    };
    const told = async (header: string) => {
      const lead = [`${native}/${header}.h`, `${native}/microphone.cc`, stream];
      return (await judge(lead, 'sound card to microphone stream', files)).told;
    };
    const name = 'sound card to microphone stream';
    expect(await told('ring')).toEqual([]);
    expect(await told('gone')).toEqual([`${name}: there is no ${native}/gone.h.`]);
    expect(await told('other')).toEqual([
      `${name}: ${native}/other.h does not reach ${native}/microphone.cc.`,
    ]);
  });

  it('are all there, and no other', async () => {
    const { passed, told } = await judge(way, 'somewhere');
    expect(passed).toBe(false);
    expect(told).toContain('somewhere: scripts/lib/ways.mjs says nothing of its length.');
    const { output } = await judgeSmallTree('ways.mjs', { 'docs/architecture.md': '# None\n' });
    for (const name of allNames) {
      expect(output).toContain(`${name}: docs/architecture.md does not show this way.`);
    }
  });
});
