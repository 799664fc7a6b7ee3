// Runs a TypeScript module in its own process, and its `run` function if it has one: node run-module.mjs
// <module>.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// The bundle is inside the project, so that its imports of packages resolve.
const folder = `${root}node_modules/.cache/modules`;

/** Bundled, which is faster than loading single files. */
const built = await build({
  root,
  configFile: false,
  logLevel: 'error',
  define: { PARLEY_VERSION: '"0.0.0"' },
  build: {
    ssr: process.argv[2] ?? '',
    write: false,
    target: 'node20',
    rolldownOptions: { output: { codeSplitting: false } },
  },
});
const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (built);
await mkdir(folder, { recursive: true });
const file = `${folder}/${process.pid}.mjs`;
await writeFile(file, output[0].code);
/** @type {{ run?: (...words: string[]) => Promise<void> }} */
let module;
try {
  module = /** @type {typeof module} */ (await import(pathToFileURL(file).href));
} finally {
  // A killed process leaves no file.
  await rm(file);
}
await module.run?.(...process.argv.slice(3));
