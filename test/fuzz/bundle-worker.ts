import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..', '..');
/** Of `fuzz-targets.ts` and the modules that it needs, those of `test/fixtures` look for files beside them. */
const fixtures = join(root, 'test', 'fixtures');

/** All that is fuzzed as plain JavaScript in a folder, so that V8 counts what runs of it; packages stay where they are. */
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
