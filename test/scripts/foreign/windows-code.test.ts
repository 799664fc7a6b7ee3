import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeHeaderFolder } from '../../../scripts/native/native-target.mjs';
import { which } from '../../../scripts/lib/run.mjs';
import { runTool } from '../../contract/sound/run-tool.ts';

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
