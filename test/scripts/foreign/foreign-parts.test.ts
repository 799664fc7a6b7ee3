import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { nativeTarget } from '../../../scripts/native/native-target.mjs';
import { elfFilesIn, processorOf } from '../../../scripts/package/elf-file.mjs';
import { workFolder } from '../../fakes/work-folder.ts';
import { runTool } from '../../contract/sound/run-tool.ts';
import { missingSoundServer, SoundServer } from '../../contract/sound/sound-server.ts';
import { foreignNode } from './foreign-node.ts';
import { loadParts } from './load-parts.ts';

const root = resolve(import.meta.dirname, '../../..');
const tree = join(root, 'release/.native/linux-arm64/tree');

const target = nativeTarget('arm64');
const node = 'reason' in target ? target : await foreignNode();
const missing = 'reason' in node ? node.reason : undefined;
const [qemu = '', program = ''] = 'reason' in node ? [] : node;

const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  runTool(qemu, [program, ...args], { PARLEY_STATE_DIR: workFolder()('state'), ...environment });

describe('the native parts for arm64, made on x64', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    if (missing !== undefined) return;
    const script = join(root, 'scripts/native-parts.mjs');
    const { code, output } = await runTool(process.execPath, [script, 'arm64']);
    expect(code, output).toBe(0);
  }, 300_000);

  it('are all ELF files for arm64', ({ skip }) => {
    if (missing !== undefined) skip(missing);
    const files = ['node_modules', 'electron/audio/native']
      .flatMap((folder) => elfFilesIn(join(tree, folder)))
      .filter((file) => !/\/(prebuilds|obj\.target|bin_armhf)\//.test(file));
    // naudiodon's addon, and its library in two folders; our addon, its library and five copies; uiohook-napi's addon.
    expect(files.length).toBeGreaterThanOrEqual(11);
    expect(files.filter((file) => processorOf(file) !== 'arm64')).toEqual([]);
  });

  it('load and work in a Node for arm64', async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    const { output } = await run(['-e', loadParts, tree]);
    const json = /^parts (.*)$/m.exec(output)?.[1];
    expect(json, output).toBeDefined();
    expect(JSON.parse(json ?? '')).toMatchObject({
      architecture: 'arm64',
      hosts: ['ALSA'],
      copies: Array.from({ length: 6 }, () => expect.any(Number) as number),
      picture: [0xff, 0xd8],
      keys: 'function',
    });
  });

  it('play a sound and hear it, by `parley doctor`', async ({ skip }) => {
    const skipReason = missing ?? (await missingSoundServer());
    if (skipReason !== undefined) skip(skipReason);
    // Beside the tree's packages, as installed.
    cpSync(join(root, 'out'), join(tree, 'out'), { recursive: true });
    const server = new SoundServer('short');
    try {
      await server.start();
      await server.loopBack();
      const args = [join(tree, 'out/main/cli.js'), 'doctor'];
      const { output } = await run(args, server.environment);
      expect(output).toMatch(/^PortAudio +loads/m);
      expect(output).toMatch(/^Loopback +The chirp came back after \d+ ms/m);
    } finally {
      await server.end();
    }
  });
});
