import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..', '..');
/** Modules of `test/fixtures` look for files beside them, so the bundle gets their folder. */
const fixtures = join(root, 'test', 'fixtures');

/** Bundles the fuzzed code into plain JavaScript, so that V8 counts its coverage. Packages stay external. */
export async function bundleWorker(folder: string): Promise<string> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    define: { 'import.meta.dirname': JSON.stringify(fixtures) },
    build: {
      ssr: join(import.meta.dirname, 'fuzz-worker.ts'),
      outDir: folder,
      target: 'node20',
      minify: false,
    },
  });
  return join(folder, 'fuzz-worker.js');
}
