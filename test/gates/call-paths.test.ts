import { describe, expect, it } from 'vitest';
import { callPathLimits, unlimitedCallPaths } from '../../scripts/lib/call-paths.mjs';
import { judgeSmallTree } from './copy-tree.ts';

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
